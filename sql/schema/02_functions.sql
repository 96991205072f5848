-- Functions and procedures for all subjects. Under row-level security an index serves only leakproof operators, so not
-- lower() or LIKE. Generated columns with collation "C" (`name_key`, `email_key`, …) therefore hold the text for
-- sorting and comparing.

set local role pipeline_owner;

create function app.iso(moment timestamptz) returns text
    language sql stable parallel safe
    return to_char(moment at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"');
comment on function app.iso is 'A timestamp for JSON: UTC with six fractional digits.';

create function app.minor_unit(currency text) returns numeric
    language sql immutable parallel safe
    return case
        when currency in ('BIF', 'CLP', 'DJF', 'GNF', 'ISK', 'JPY', 'KMF', 'KRW', 'PYG', 'RWF', 'UGX', 'UYI', 'VND',
                          'VUV', 'XAF', 'XOF', 'XPF') then 1
        when currency in ('BHD', 'IQD', 'JOD', 'KWD', 'LYD', 'OMR', 'TND') then 0.001
        when currency in ('CLF', 'UYW') then 0.0001
        else 0.01
    end;
comment on function app.minor_unit is
    'The smallest unit of a currency (ISO 4217), 0.01 for EUR; the same as in pipeline/validation/currencies.py.';

create function app.money(minor numeric, currency text) returns numeric
    language sql immutable parallel safe
    return trim_scale(minor * app.minor_unit(currency));
comment on function app.money is 'Converts minor units of a currency to an exact decimal number.';

create function app.percent(basis_points integer) returns numeric
    language sql immutable parallel safe
    return trim_scale(basis_points * 0.01);
comment on function app.percent is 'Converts hundredths of a percent to a percentage: 1250 is 12.5.';

-- In PL/pgSQL, because SQL functions with a stable call are five times slower.
create function app.plain(value text) returns text
    language plpgsql immutable strict parallel safe as $$
begin
    -- Lower case of ASCII is the same in every collation.
    if octet_length(value) = length(value) then
        return lower(value collate "C");
    end if;
    return lower(extensions.unaccent('extensions.unaccent'::regdictionary, value));
end
$$;
comment on function app.plain is
    'Text in lower case without accents. Immutable as long as the dictionary file unaccent.rules does not change.';

-- In SQL and not strict, so that PostgreSQL inlines it.
create function app.sort_key(value text) returns text
    language sql immutable parallel safe
    return left(
        case when octet_length(value) = length(value) then lower(value collate "C") else app.plain(value) end, 200);
comment on function app.sort_key is
    'The sort key of a text, short enough for an index entry. Columns with collation "C" hold it.';

create function app.small_letters() returns jsonb
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

create function app.email_letters(address text) returns text
    language plpgsql immutable strict parallel safe as $$
begin
    -- The planner computes the constant once. A look-up is faster than translate, which goes through the capitals.
    return (
        select string_agg(coalesce(app.small_letters() ->> letter, letter), '' order by place)
        from unnest(string_to_array(lower(address collate "C"), null)) with ordinality as l (letter, place));
end
$$;
comment on function app.email_letters is 'The part of app.email_key for addresses with letters beyond ASCII.';

-- In SQL and not strict, so that PostgreSQL inlines it.
create function app.email_key(address text) returns text
    language sql immutable parallel safe
    return case
        when octet_length(address) = length(address) then lower(address collate "C") else app.email_letters(address) end;
comment on function app.email_key is
    'The key for comparing email addresses: Latin, Greek, Cyrillic and Armenian capitals in lower case, other characters '
    'unchanged. It is the same in every locale and in pipeline/validation/emails.py.';

create function app.has_ascii_domain(address text) returns boolean
    language sql immutable parallel safe
    return octet_length(split_part(address, '@', -1)) = length(split_part(address, '@', -1));
comment on function app.has_ascii_domain is
    'Whether the domain of an address is ASCII. Stored addresses must have one, so that a domain has one key.';

create function app.like_pattern(word text) returns text
    language sql immutable parallel safe
    return '%' || regexp_replace(word, '([\\%_])', '\\\1', 'g') || '%';
comment on function app.like_pattern is 'The LIKE pattern for texts that contain the word; % and _ have no special meaning.';

grant execute
    on function app.iso, app.minor_unit, app.money, app.percent, app.plain, app.sort_key, app.small_letters,
        app.email_letters, app.email_key, app.has_ascii_domain
    to pipeline_app, pipeline_forms, pipeline_jobs, pipeline_member, pipeline_public, pipeline_lookup;
grant execute on function app.like_pattern to pipeline_member;

create function app.touch() returns trigger language plpgsql as $$
begin
    -- now() may be before the last change.
    new.updated_at := greatest(now(), old.updated_at);
    return new;
end
$$;
comment on function app.touch is 'Trigger: sets updated_at, which never decreases.';

create procedure app.touch_changed(p_table regclass, variadic p_columns text[] default '{}') language plpgsql as $$
declare
    -- Generated columns are not computed yet before an update.
    v_differences text := (
        select string_agg(format('old.%1$I is distinct from new.%1$I', attname), ' or ' order by attname)
        from pg_attribute
        where attrelid = p_table and attnum > 0 and not attisdropped and attgenerated = ''
          and (p_columns = '{}' or attname = any (p_columns)));
begin
    execute format('create or replace trigger touch before update on %s for each row when (%s) '
                   'execute function app.touch()', p_table, v_differences);
end
$$;
comment on procedure app.touch_changed is
    'Makes changes of these columns, or of any column if none are named, set updated_at. An update to the same values '
    'does not. Call it again after adding a column.';

create procedure app.describe_columns(p_relation regclass, variadic p_sources regclass[] default '{}')
    language plpgsql as $$
declare
    described record;
begin
    for described in
        select distinct on (shown.attname) shown.attname, meant.words
        from pg_attribute as shown
        join (
            select source.attname, col_description(source.attrelid, source.attnum), named.place
            from unnest(p_sources) with ordinality as named (relation, place)
            join pg_attribute as source on source.attrelid = named.relation and source.attnum > 0
            union all
            select usual.name, usual.words, null
            from (values
                ('organization_id', 'The organization that the row belongs to.'),
                ('id', 'Identifier, given by the database.'),
                ('created_at', 'When it was made.'), ('updated_at', 'When it was last changed.'),
                ('created_by', 'The user who made it.'),
                ('created_by_key', 'The API key that made it; filled in by the database.'),
                ('created_by_kind', 'Who made it: user, key or system.'),
                ('created_by_name', 'The name of the user or API key that made it.'),
                ('external_id', 'Id in another system; unique among the organization''s records of this kind.'),
                ('deleted_at', 'When it was deleted; null while it is there.'),
                ('name_key', 'What the name is sorted by.'),
                ('email', 'Email address.'), ('phone', 'Telephone number.'), ('website', 'Web site.'),
                ('street', 'Street and number.'), ('city', 'City.'), ('region', 'State, province or county.'),
                ('postal_code', 'Postal code.'), ('country', 'Country.'), ('vat_id', 'Value-added tax number.'),
                ('registration_number', 'Number in the company register.'),
                ('last_name', 'Family name; single names are accepted.'), ('job_title', 'Position in the company.'),
                ('currency', 'ISO 4217 code.'), ('license_type', 'Kind of licence.'), ('notes', 'Remarks.'),
                ('attempts', 'How often it was tried.'), ('error', 'What failed last.'), ('used', 'How many.'),
                ('answers', 'The answers by question key.'), ('event', 'Name of the event.'),
                ('expires_at', 'When it expires.'), ('request_id', 'The request.'),
                ('email_key', 'The email address for sorting and comparing.'),
                ('company_id', 'The company.'), ('contact_id', 'The contact.'), ('contract_id', 'The contract.'),
                ('deal_id', 'The deal.'), ('file_id', 'The file.'), ('invite_id', 'The invite.'),
                ('lead_id', 'The lead.'), ('template_id', 'The template.'), ('user_id', 'The user.'),
                ('webhook_id', 'The webhook.'), ('company_name', 'Name of the company.'),
                ('deal_title', 'Title of the deal.')) as usual (name, words)
        ) as meant (name, words, place) on meant.name = shown.attname
        where shown.attrelid = p_relation and col_description(p_relation, shown.attnum) is null
        order by shown.attname, meant.place
    loop
        execute format('comment on column %s.%I is %L', p_relation, described.attname, described.words);
    end loop;
end
$$;
comment on procedure app.describe_columns is
    'Comments the columns of a table or view that have no comment. The text comes from the first source with a column '
    'of that name, else from a default for the name.';

create procedure app.present(p_view regclass, p_reader regrole, variadic p_sources regclass[])
    language plpgsql as $$
begin
    call app.describe_columns(p_view, variadic p_sources);
    execute format('grant select on %s to %s', p_view, p_reader);
end
$$;
comment on procedure app.present is
    'Lets a role read a view of records, and comments its columns like those of its tables (app.describe_columns).';

create procedure app.isolate(p_table regclass, variadic p_roles regrole[] default '{}')
    language plpgsql as $procedure$
declare
    c_context constant text := $$nullif(current_setting('app.organization_id', true), '')::bigint$$;
begin
    execute format('alter table %s alter column organization_id set default %s', p_table, c_context);
    execute format('alter table %s enable row level security', p_table);
    execute format('alter table %s force row level security', p_table);
    execute format('create policy organization on %s as restrictive for all to public '
                   'using (organization_id = %s) with check (organization_id = %s)', p_table, c_context, c_context);
    if cardinality(p_roles) > 0 then
        execute format('create policy %I on %s to %s using (true) with check (true)',
                       replace(p_roles[1]::text, 'pipeline_', ''), p_table, array_to_string(p_roles, ', '));
    end if;
    call app.describe_columns(p_table);
end
$procedure$;
comment on procedure app.isolate is
    'Restricts a table to the current organization for every role, and makes it the default of new rows. The given '
    'roles see and write all rows of the organization, within their grants. Other roles need a policy.';

create procedure app.share(p_table regclass, p_writer regrole default null, variadic p_columns text[] default '{}')
    language plpgsql as $procedure$
declare
    v_columns text := array_to_string(p_columns, ', ');
begin
    call app.isolate(p_table, 'pipeline_member', 'pipeline_jobs');
    execute format('grant select on %s to pipeline_member, pipeline_jobs', p_table);
    if p_writer is not null then
        execute format('grant insert (organization_id, %s), update (%s), delete on %s to %s',
                       v_columns, v_columns, p_table, p_writer);
    end if;
end
$procedure$;
comment on procedure app.share is
    'Isolates a table, and lets members and the worker read it. p_writer may insert and update the given columns and '
    'delete rows. The file of the table grants everything else.';
