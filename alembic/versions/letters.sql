-- Functions of revision 0056 as they were in it.
create or replace function app.small_letters() returns jsonb
    language sql immutable parallel safe
    return jsonb_object(
        string_to_array(
            'ÀÁÂÃÄÅÆÇÈÉÊËÌÍÎÏÐÑÒÓÔÕÖØÙÚÛÜÝÞĀĂĄĆĈĊČĎĐĒĔĖĘĚĜĞĠĢĤĦĨĪĬĮĲĴĶĹĻĽĿŁŃŅŇŊŌŎŐŒ'
            'ŔŖŘŚŜŞŠŢŤŦŨŪŬŮŰŲŴŶŸŹŻŽƁƂƄƆƇƉƊƋƎƏƐƑƓƔƖƗƘƜƝƟƠƢƤƦƧƩƬƮƯƱƲƳƵƷƸƼǄǇǊǍǏǑǓǕǗǙǛǞ'
            'ǠǢǤǦǨǪǬǮǱǴǶǷǸǺǼǾȀȂȄȆȈȊȌȎȐȒȔȖȘȚȜȞȠȢȤȦȨȪȬȮȰȲȺȻȽȾɁɃɄɅɆɈɊɌɎͰͲͶͿΆΈΉΊΌΎΏΑΒΓΔ'
            'ΕΖΗΘΙΚΛΜΝΞΟΠΡΣΤΥΦΧΨΩΪΫϏϘϚϜϞϠϢϤϦϨϪϬϮϷϹϺϽϾϿЀЁЂЃЄЅІЇЈЉЊЋЌЍЎЏАБВГДЕЖЗИЙКЛМ'
            'НОПРСТУФХЦЧШЩЪЫЬЭЮЯѠѢѤѦѨѪѬѮѰѲѴѶѸѺѼѾҀҊҌҎҐҒҔҖҘҚҜҞҠҢҤҦҨҪҬҮҰҲҴҶҸҺҼҾӀӁӃӅӇӉӋ'
            'ӍӐӒӔӖӘӚӜӞӠӢӤӦӨӪӬӮӰӲӴӶӸӺӼӾԀԂԄԆԈԊԌԎԐԒԔԖԘԚԜԞԠԢԤԦԨԪԬԮԱԲԳԴԵԶԷԸԹԺԻԼԽԾԿՀՁՂՃՄՅ'
            'ՆՇՈՉՊՋՌՍՎՏՐՑՒՓՔՕՖḀḂḄḆḈḊḌḎḐḒḔḖḘḚḜḞḠḢḤḦḨḪḬḮḰḲḴḶḸḺḼḾṀṂṄṆṈṊṌṎṐṒṔṖṘṚṜṞṠṢṤṦṨ'
            'ṪṬṮṰṲṴṶṸṺṼṾẀẂẄẆẈẊẌẎẐẒẔẠẢẤẦẨẪẬẮẰẲẴẶẸẺẼẾỀỂỄỆỈỊỌỎỐỒỔỖỘỚỜỞỠỢỤỦỨỪỬỮỰỲỴỶỸỺỼỾ', null),
        string_to_array(
            'àáâãäåæçèéêëìíîïðñòóôõöøùúûüýþāăąćĉċčďđēĕėęěĝğġģĥħĩīĭįĳĵķĺļľŀłńņňŋōŏőœ'
            'ŕŗřśŝşšţťŧũūŭůűųŵŷÿźżžɓƃƅɔƈɖɗƌǝəɛƒɠɣɩɨƙɯɲɵơƣƥʀƨʃƭʈưʊʋƴƶʒƹƽǆǉǌǎǐǒǔǖǘǚǜǟ'
            'ǡǣǥǧǩǫǭǯǳǵƕƿǹǻǽǿȁȃȅȇȉȋȍȏȑȓȕȗșțȝȟƞȣȥȧȩȫȭȯȱȳⱥȼƚⱦɂƀʉʌɇɉɋɍɏͱͳͷϳάέήίόύώαβγδ'
            'εζηθικλμνξοπρστυφχψωϊϋϗϙϛϝϟϡϣϥϧϩϫϭϯϸϲϻͻͼͽѐёђѓєѕіїјљњћќѝўџабвгдежзийклм'
            'нопрстуфхцчшщъыьэюяѡѣѥѧѩѫѭѯѱѳѵѷѹѻѽѿҁҋҍҏґғҕҗҙқҝҟҡңҥҧҩҫҭүұҳҵҷҹһҽҿӏӂӄӆӈӊӌ'
            'ӎӑӓӕӗәӛӝӟӡӣӥӧөӫӭӯӱӳӵӷӹӻӽӿԁԃԅԇԉԋԍԏԑԓԕԗԙԛԝԟԡԣԥԧԩԫԭԯաբգդեզէըթժիլխծկհձղճմյ'
            'նշոչպջռսվտրցւփքօֆḁḃḅḇḉḋḍḏḑḓḕḗḙḛḝḟḡḣḥḧḩḫḭḯḱḳḵḷḹḻḽḿṁṃṅṇṉṋṍṏṑṓṕṗṙṛṝṟṡṣṥṧṩ'
            'ṫṭṯṱṳṵṷṹṻṽṿẁẃẅẇẉẋẍẏẑẓẕạảấầẩẫậắằẳẵặẹẻẽếềểễệỉịọỏốồổỗộớờởỡợụủứừửữựỳỵỷỹỻỽỿ', null));
comment on function app.small_letters is
    'Latin, Greek, Cyrillic and Armenian capitals beyond ASCII: {capital: small letter}.';

create or replace function app.email_letters(address text) returns text
    language plpgsql immutable strict parallel safe as $$
begin
    -- The planner computes the constant once. A look-up is faster than translate, which goes through the capitals.
    return (
        select string_agg(coalesce(app.small_letters() ->> letter, letter), '' order by place)
        from unnest(string_to_array(lower(address collate "C"), null)) with ordinality as l (letter, place));
end
$$;
comment on function app.email_letters is 'The part of app.email_key for addresses with letters beyond ASCII.';
grant execute on function app.small_letters
    to pipeline_app, pipeline_forms, pipeline_jobs, pipeline_member, pipeline_public, pipeline_lookup;

create or replace function app.search_patterns(word text) returns text[]
    language plpgsql immutable strict parallel safe as $$
declare
    v_parts text[] := array(
        select app.folded(part) from regexp_split_to_table(word, '[-‐‑–&]+') as part where app.folded(part) <> '');
    v_shown text := app.domain_shown(word);
    v_long text;
    v_short text;
begin
    select string_agg(regexp_replace(part, '([\\%_])', '\\\1', 'g'), '%'),
        string_agg(regexp_replace(app.shortened(part), '([\\%_])', '\\\1', 'g'), '%')
    into v_long, v_short from unnest(v_parts) as part;
    if v_long is null or v_short = v_long or length(v_short) < least(4, length(word)) then
        v_short := v_long;
    end if;
    return array(select distinct '%' || pattern || '%' from unnest(array[v_long, v_short]) as pattern where pattern <> '')
        || case when v_shown <> word then app.search_patterns(v_shown) end;
end
$$;
comment on function app.search_patterns is
    'The LIKE patterns for a word of a search, of which one must match app.searched. A word of less than four letters '
    'is not shortened: joe does not find John. A domain is also searched in Unicode. Empty for a word of punctuation alone.';

create or replace function app.tells_of(body bytea, paths text[]) returns boolean
    language sql immutable parallel safe
    return case when position(convert_to('"upserted"', 'UTF8') in body) > 0 then exists (
        select from jsonb_path_query(cast(convert_from(body, 'UTF8') as jsonb), '$.*[*] ? (exists (@.id))') as record
        where case
                when record ? 'disqualify_reason' then '/leads/'
                when record ? 'job_title' then '/contacts/'
                when record ? 'stage_id' then '/deals/'
            end || (record ->> 'id') = any (paths)) end;
comment on function app.tells_of is 'Whether the stored response of a batch has one of these leads, contacts and deals.';
grant execute on function app.tells_of to pipeline_lookup;

create or replace function app.same_person(name text, address text, other_name text, other_address text) returns boolean
    language sql immutable parallel safe
    return app.email_key(address) = app.email_key(other_address)
        and (not app.is_role_address(address) or app.names_agree(
            nullif(name, split_part(address, '@', 1)), nullif(other_name, split_part(other_address, '@', 1))));
comment on function app.same_person is
    'Whether two people with names and email addresses are one: an address identifies a person, except that of a role '
    'with a name that does not agree. A name made of the address is none.';
