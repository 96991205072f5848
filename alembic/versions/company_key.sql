-- The function of revision 0056, as it was in it.
-- Legal forms of companies; they are compared folded and without full stops.
do $do$
declare
    c_behind constant text[] := array[
        -- Germany, Austria, Switzerland, Liechtenstein
        'gmbh', 'ggmbh', 'mbh', 'gesmbh', 'ag', 'kg', 'kgaa', 'ohg', 'og', 'ug', 'ug haftungsbeschränkt',
        'haftungsbeschränkt',
        'se', 'ek', 'ekfr', 'ekfm', 'ev', '& v', 'eg', 'ig', 'gbr', 'partg', 'partg mbb', 'anstalt',
        -- United Kingdom, Ireland, United States, Canada, Australia, New Zealand, South Africa, India, Singapore, Hong Kong
        'inc', 'incorporated', 'corp', 'corporation', 'co', 'company', 'ltd', 'limited', 'llc', 'llp', 'lp', 'plc',
        'pc', 'pllc',
        'cic', 'clg', 'dac', 'ulc', 'pty', 'pty ltd', 'pte', 'pvt', 'private', 'proprietary', 'cc', 'npc', 'opc',
        'limited liability company', 'public limited company', 'ltée', 'limitée', 'senc', 'enr',
        -- Malaysia, Indonesia, Thailand, Vietnam, Philippines
        'bhd', 'berhad', 'sdn', 'sdn bhd', 'tbk', 'persero', 'company limited', 'jsc', 'tnhh',
        -- France, Belgium, Luxembourg, Monaco, French-speaking Africa
        'sa', 'sas', 'sasu', 'sarl', 'sa rl', 'sarlu', 'sarls', 'suarl', 'eurl', 'snc', 'sca', 'scs', 'sci', 'scop', 'scrl',
        'sprl', 'srl',
        'gie', 'selarl', 'sc', 'scp', 'asbl', 'vzw',
        -- Spain and Latin America
        'sl', 'slu', 'sau', 'sll', 'slp', 'sa de cv', 'sapi de cv', 'sab de cv', 's de rl', 's de rl de cv',
        'srl de cv',
        'de cv', 'eirl', 'spa', 'saic', 'sacif', 'saa', 'sac', 'coop', 'sociedad anónima', 'sociedad limitada',
        -- Portugal, Brazil
        'lda', 'ltda', 'sgps', 'unipessoal', 'unipessoal lda', 'epp', 'eireli', 'mei',
        -- Italy, San Marino
        'srls', 'sapa', 'scarl', 'sas di', 'società a responsabilità limitata',
        -- Netherlands
        'bv', 'nv', 'vof', 'cv', 'bvba', 'cvba', 'besloten vennootschap',
        -- Sweden, Denmark, Norway, Iceland, Finland
        'ab', 'aktiebolag', 'hb', 'kb', 'as', 'aps', 'asa', 'ans', 'da', 'ivs', 'amba', 'ks', 'ehf', 'hf', 'slf', 'oy', 'oyj',
        'ky', 'tmi', 'osakeyhtiö',
        -- Poland
        'sp z oo', 'sp zoo', 'spółka z oo', 'spółka zoo', 'spzoo', 'sj', 'sp j', 'sp k', 'spk', 'sk', 'ska', 'psa',
        'spółka akcyjna', 'sp z oo sp k', 'sp zoo spk',
        -- Czech Republic, Slovakia
        'sro', 'spol sro', 'spol s ro', 'vos', 'zs', 'akciová společnost',
        -- Hungary, Romania, Moldova
        'kft', 'zrt', 'nyrt', 'rt', 'bt', 'kkt', 'pfa', 'srld',
        -- Bulgaria, Croatia, Slovenia, Serbia, Bosnia, Montenegro, North Macedonia, Albania, Kosovo
        'ood', 'eood', 'ad', 'ead', 'оод', 'еоод', 'ад', 'еад', 'doo', 'jdoo', 'dd', 'dno', 'доо', 'ад', 'doel',
        'dooel', 'дооел',
        'shpk', 'sha',
        -- Greece, Cyprus
        'ae', 'epe', 'ike', 'αε', 'επε', 'οε', 'εε', 'ικε', 'μονοπροσωπη ικε', 'ανωνυμη εταιρεια',
        -- Turkey, Azerbaijan
        'aş', 'ltd şti', 'şti', 'limited şirketi', 'anonim şirketi', 'san & tic', 'sanayi & ticaret', 'mmc',
        'asc', 'qsc',
        -- Russia, Belarus, Ukraine, Kazakhstan, Georgia
        'ооо', 'оао', 'зао', 'пао', 'ао', 'нао', 'ип', 'тов', 'ват', 'прат', 'пат', 'тзов', 'пп', 'фоп', 'чп', 'тоо',
        'ооо нпо',
        'ooo', 'oao', 'zao', 'pao', 'tov', 'too', 'შპს', 'სს',
        -- Estonia, Latvia, Lithuania
        'oü', 'osaühing', 'aktsiaselts', 'sia', 'uab', 'mb', 'všį', 'ik',
        -- United Arab Emirates, Saudi Arabia, Egypt, Lebanon, Israel, Iran
        'fze', 'fzco', 'fzc', 'fz llc', 'dmcc', 'wll', 'psc', 'pjsc', 'bsc', 'sal', 'sae', 'ذمم', 'شمم', 'شمل',
        'شذمم', 'بعم', 'בעמ', 'bm',
        -- Japan, Korea, China, Taiwan
        'kk', 'gk', 'yk', 'kabushiki kaisha', 'godo kaisha', 'co ltd', '株', '有', '주', '유'];
    c_before constant text[] := array[
        -- Russia, Belarus, Ukraine, Kazakhstan
        'ооо', 'оао', 'зао', 'пао', 'ао', 'нао', 'ип', 'тов', 'ват', 'прат', 'пат', 'тзов', 'пп', 'фоп', 'чп', 'тоо',
        'ooo', 'oao',
        'zao', 'pao', 'общество с ограниченной ответственностью', 'акционерное общество',
        'товариство з обмеженою відповідальністю',
        -- Indonesia, Vietnam
        'pt', 'ud', 'cv', 'công ty tnhh', 'công ty cổ phần', 'công ty cp',
        -- Baltic countries, Sweden, Finland, Romania, Bulgaria, Spain
        'uab', 'sia', 'oü', 'všį', 'aktiebolaget', 'ab', 'oy', 'ет', 'sociedad anónima',
        -- Arabic, Georgian
        'شركة', 'შპს', 'სს',
        -- Japan, Korea
        '株', '有', '주', '유'];
    -- Attached without a space.
    c_attached constant text[] := array[
        '株式会社', '株式會社', '有限会社', '有限會社', '合同会社', '合資会社', '合名会社', '股份有限公司', '有限责任公司', '有限責任公司', '有限公司', '股份公司',
        '주식회사', '유한회사', 'บริษัท', 'จำกัด', 'มหาชน'];
    v_forms text[] := array(select distinct app.shortened(app.folded(one, ' ')) from unnest(c_behind) as one);
    v_parts text[] := array(
        select distinct part collate "C" from unnest(v_forms || '{&}'::text[]) as form, string_to_table(form, ' ') as part order by 1);
    v_behind text;
    v_before text;
begin
    select string_agg(form, '|' order by length(form) desc, form collate "C")
    into v_behind from unnest(v_forms) as form;
    select string_agg(form, '|' order by length(form) desc, form collate "C")
    into v_before from (select distinct app.shortened(app.folded(one, ' ')) as form from unnest(c_before) as one) as f;
    execute format($function$
create or replace function app.company_key(name text) returns text
    language plpgsql immutable strict parallel safe as $$
declare
    -- Single letters join: s a de c v is sa de cv.
    v_words text := regexp_replace(
        regexp_replace(app.shortened(app.folded(replace(name, '&', ' & '), ' ')), '(?<= )(and|und|et|y|e|i|en|og|och|ja|ve|и|і|та|և|και|و|&)(?= )', '&', 'g'),
        '\m(\w) (?=\w\M)', '\1', 'g');
    v_key text := v_words;
    v_last text;
    v_former text;
begin
    if octet_length(v_key) > length(v_key) then
        v_key := trim(regexp_replace(v_key, %L, ' ', 'g'));
    end if;
    v_last := split_part(v_key, ' ', -1);
    v_former := split_part(v_key, ' ', -2);
    -- The expression for forms of several words is slow.
    if v_last = any (%L::text[]) and v_former <> '' and v_former <> all (%L::text[]) then
        v_key := left(v_key, -length(v_last) - 1);
    elsif v_last = any (%3$L::text[]) then
        v_key := regexp_replace(v_key, %4$L, '');
    end if;
    v_key := regexp_replace(v_key, %5$L, '');
    return replace(coalesce(nullif(trim(v_key, ' &'), ''), v_words), '&', 'and');
end
$$$function$,
        (select string_agg(app.shortened(app.folded(one)), '|') from unnest(c_attached) as one),
        array(select form from unnest(v_forms) as form where strpos(form, ' ') = 0 order by form collate "C"), v_parts,
        '( (& )?(' || v_behind || '))+$', '^((' || v_before || ') )+');
end
$do$;
