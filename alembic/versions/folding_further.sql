-- The functions of revision 0051, as they were in it.
create or replace function app.email_letters(address text) returns text
    language plpgsql immutable strict parallel safe as $$
begin
    -- Letter by letter: on a whole address translate is five times slower.
    return (
        select string_agg(case when octet_length(letter) = 1 then letter else translate(
            letter,
            'ÀÁÂÃÄÅÆÇÈÉÊËÌÍÎÏÐÑÒÓÔÕÖØÙÚÛÜÝÞĀĂĄĆĈĊČĎĐĒĔĖĘĚĜĞĠĢĤĦĨĪĬĮĲĴĶĹĻĽĿŁŃŅŇŊŌŎŐŒ'
            'ŔŖŘŚŜŞŠŢŤŦŨŪŬŮŰŲŴŶŸŹŻŽƁƂƄƆƇƉƊƋƎƏƐƑƓƔƖƗƘƜƝƟƠƢƤƦƧƩƬƮƯƱƲƳƵƷƸƼǄǇǊǍǏǑǓǕǗǙǛǞ'
            'ǠǢǤǦǨǪǬǮǱǴǶǷǸǺǼǾȀȂȄȆȈȊȌȎȐȒȔȖȘȚȜȞȠȢȤȦȨȪȬȮȰȲȺȻȽȾɁɃɄɅɆɈɊɌɎͰͲͶͿΆΈΉΊΌΎΏΑΒΓΔ'
            'ΕΖΗΘΙΚΛΜΝΞΟΠΡΣΤΥΦΧΨΩΪΫϏϘϚϜϞϠϢϤϦϨϪϬϮϷϹϺϽϾϿЀЁЂЃЄЅІЇЈЉЊЋЌЍЎЏАБВГДЕЖЗИЙКЛМ'
            'НОПРСТУФХЦЧШЩЪЫЬЭЮЯѠѢѤѦѨѪѬѮѰѲѴѶѸѺѼѾҀҊҌҎҐҒҔҖҘҚҜҞҠҢҤҦҨҪҬҮҰҲҴҶҸҺҼҾӀӁӃӅӇӉӋ'
            'ӍӐӒӔӖӘӚӜӞӠӢӤӦӨӪӬӮӰӲӴӶӸӺӼӾԀԂԄԆԈԊԌԎԐԒԔԖԘԚԜԞԠԢԤԦԨԪԬԮԱԲԳԴԵԶԷԸԹԺԻԼԽԾԿՀՁՂՃՄՅ'
            'ՆՇՈՉՊՋՌՍՎՏՐՑՒՓՔՕՖḀḂḄḆḈḊḌḎḐḒḔḖḘḚḜḞḠḢḤḦḨḪḬḮḰḲḴḶḸḺḼḾṀṂṄṆṈṊṌṎṐṒṔṖṘṚṜṞṠṢṤṦṨ'
            'ṪṬṮṰṲṴṶṸṺṼṾẀẂẄẆẈẊẌẎẐẒẔẠẢẤẦẨẪẬẮẰẲẴẶẸẺẼẾỀỂỄỆỈỊỌỎỐỒỔỖỘỚỜỞỠỢỤỦỨỪỬỮỰỲỴỶỸỺỼỾ',
            'àáâãäåæçèéêëìíîïðñòóôõöøùúûüýþāăąćĉċčďđēĕėęěĝğġģĥħĩīĭįĳĵķĺļľŀłńņňŋōŏőœ'
            'ŕŗřśŝşšţťŧũūŭůűųŵŷÿźżžɓƃƅɔƈɖɗƌǝəɛƒɠɣɩɨƙɯɲɵơƣƥʀƨʃƭʈưʊʋƴƶʒƹƽǆǉǌǎǐǒǔǖǘǚǜǟ'
            'ǡǣǥǧǩǫǭǯǳǵƕƿǹǻǽǿȁȃȅȇȉȋȍȏȑȓȕȗșțȝȟƞȣȥȧȩȫȭȯȱȳⱥȼƚⱦɂƀʉʌɇɉɋɍɏͱͳͷϳάέήίόύώαβγδ'
            'εζηθικλμνξοπρστυφχψωϊϋϗϙϛϝϟϡϣϥϧϩϫϭϯϸϲϻͻͼͽѐёђѓєѕіїјљњћќѝўџабвгдежзийклм'
            'нопрстуфхцчшщъыьэюяѡѣѥѧѩѫѭѯѱѳѵѷѹѻѽѿҁҋҍҏґғҕҗҙқҝҟҡңҥҧҩҫҭүұҳҵҷҹһҽҿӏӂӄӆӈӊӌ'
            'ӎӑӓӕӗәӛӝӟӡӣӥӧөӫӭӯӱӳӵӷӹӻӽӿԁԃԅԇԉԋԍԏԑԓԕԗԙԛԝԟԡԣԥԧԩԫԭԯաբգդեզէըթժիլխծկհձղճմյ'
            'նշոչպջռսվտրցւփքօֆḁḃḅḇḉḋḍḏḑḓḕḗḙḛḝḟḡḣḥḧḩḫḭḯḱḳḵḷḹḻḽḿṁṃṅṇṉṋṍṏṑṓṕṗṙṛṝṟṡṣṥṧṩ'
            'ṫṭṯṱṳṵṷṹṻṽṿẁẃẅẇẉẋẍẏẑẓẕạảấầẩẫậắằẳẵặẹẻẽếềểễệỉịọỏốồổỗộớờởỡợụủứừửữựỳỵỷỹỻỽỿ') end, '' order by place)
        from regexp_split_to_table(lower(address collate "C"), '') with ordinality as l (letter, place));
end
$$;
comment on function app.email_letters is 'The part of app.email_key for addresses with letters beyond ASCII.';

-- In SQL and not strict, so that PostgreSQL inlines it.
create or replace function app.email_key(address text) returns text
    language sql immutable parallel safe
    return case
        when octet_length(address) = length(address) then lower(address collate "C") else app.email_letters(address) end;
comment on function app.email_key is
    'The key for comparing email addresses: Latin, Greek, Cyrillic and Armenian capitals in lower case, other characters '
    'unchanged. It is the same in every locale and in pipeline/validation/emails.py.';

grant execute on function app.email_letters
    to pipeline_app, pipeline_forms, pipeline_jobs, pipeline_member, pipeline_public, pipeline_lookup;

create or replace function app.role_words() returns text[]
    language sql immutable parallel safe
    return array[
        -- English
        'info', 'information', 'sales', 'office', 'contact', 'contacts', 'contactus', 'enquiries', 'enquiry',
        'inquiries',
        'inquiry', 'hello', 'hi', 'mail', 'email', 'admin', 'administration', 'administrator', 'support', 'help',
        'helpdesk',
        'service', 'services', 'customerservice', 'customercare', 'care', 'billing', 'accounts', 'accounting',
        'accountspayable',
        'ap', 'finance', 'invoice', 'invoices', 'payments', 'orders', 'order', 'purchasing', 'procurement', 'buying',
        'hr',
        'jobs', 'careers', 'recruiting', 'marketing', 'press', 'media', 'pr', 'legal', 'compliance', 'privacy',
        'security',
        'it', 'team', 'all', 'everyone', 'staff', 'reception', 'frontdesk', 'secretary', 'management', 'headoffice',
        'bookings', 'booking', 'reservations', 'events', 'partners', 'partner', 'export', 'shop', 'store', 'web',
        'website',
        'webmaster', 'postmaster', 'hostmaster', 'abuse', 'noc', 'root', 'noreply', 'donotreply', 'newsletter',
        'feedback',
        'mailbox', 'inbox', 'ceo', 'import', 'warehouse', 'editor', 'editorial', 'hotel',
        'general', 'post', 'company', 'business', 'clientservices', 'dispatch', 'logistics', 'operations', 'projects',
        -- German
        'kontakt', 'buero', 'buro', 'vertrieb', 'verkauf', 'verwaltung', 'zentrale', 'empfang', 'sekretariat',
        'buchhaltung',
        'rechnung', 'rechnungen', 'rechnungswesen', 'einkauf', 'bestellung', 'bestellungen', 'kundenservice',
        'kundendienst',
        'willkommen', 'rezeption', 'reservierung', 'redaktion', 'lager', 'gf',
        'kanzlei', 'praxis', 'anfrage', 'anfragen', 'personal', 'bewerbung', 'presse', 'datenschutz', 'technik',
        'werkstatt',
        'geschaeftsleitung', 'geschaeftsfuehrung', 'auskunft', 'poststelle', 'hallo', 'moin', 'servus', 'gruezi',
        'zentral',
        -- French
        'contacter', 'bonjour', 'accueil', 'bureau', 'commercial', 'ventes', 'vente', 'achats', 'comptabilite',
        'compta',
        'facturation', 'factures', 'secretariat', 'direction', 'recrutement', 'rh', 'communication', 'serviceclient',
        'serviceclients', 'renseignements', 'courrier', 'mairie', 'siege', 'boutique', 'commande', 'commandes',
        -- Spanish
        'contacto', 'contactar', 'hola', 'oficina', 'ventas', 'comercial', 'compras', 'administracion', 'contabilidad',
        'facturacion', 'facturas', 'recepcion', 'secretaria', 'atencion', 'atencionalcliente', 'clientes', 'consultas',
        'informacion', 'correo', 'gerencia', 'pedidos', 'rrhh', 'recursoshumanos', 'prensa', 'soporte', 'empleo',
        'tienda',
        -- Portuguese
        'contato', 'contacto', 'ola', 'escritorio', 'vendas', 'geral', 'financeiro', 'faturamento', 'atendimento',
        'sac',
        'suporte', 'rececao', 'administracao', 'contabilidade', 'encomendas',
        -- Italian
        'contatti', 'contatto', 'ciao', 'ufficio', 'vendite', 'commerciale', 'acquisti', 'amministrazione',
        'contabilita',
        'fatture', 'fatturazione', 'segreteria', 'direzione', 'ordini', 'assistenza', 'informazioni', 'posta',
        'prenotazioni',
        'risorseumane', 'ufficiostampa', 'negozio', 'studio', 'pec',
        -- Dutch
        'kantoor', 'verkoop', 'inkoop', 'administratie', 'boekhouding', 'facturen', 'factuur', 'receptie',
        'klantenservice',
        'hallo', 'directie', 'secretariaat', 'bestellingen', 'planning', 'personeel', 'vragen', 'algemeen', 'winkel',
        -- Nordic languages
        'kontor', 'salg', 'forsaljning', 'forsaeljning', 'saelg', 'kundservice', 'kundeservice', 'kundtjaenst',
        'faktura',
        'regnskab', 'regnskap', 'ekonomi', 'oekonomi', 'indkoeb', 'inkoep', 'innkjoep', 'hej', 'hei', 'post',
        'postmottak',
        'myynti', 'asiakaspalvelu', 'toimisto', 'laskutus', 'tilaukset', 'yhteys', 'sala', 'bokhald',
        -- Polish, Czech, Slovak, Hungarian, Romanian, Croatian, Slovenian
        'biuro', 'sprzedaz', 'sekretariat', 'ksiegowosc', 'zamowienia', 'obsluga', 'bok', 'faktury', 'prodej', 'obchod',
        'podpora', 'uctarna', 'objednavky', 'kancelar', 'kancelaria', 'predaj', 'iroda', 'ertekesites',
        'ugyfelszolgalat',
        'penzugy', 'rendeles', 'birou', 'vanzari', 'comenzi', 'contabilitate', 'prodaja', 'ured', 'racunovodstvo',
        'pisarna',
        -- Turkish, Greek, Baltic languages
        'bilgi', 'iletisim', 'satis', 'muhasebe', 'destek', 'siparis', 'poliseis', 'epikoinonia', 'logistirio', 'info1',
        'birojs', 'pardavimai', 'muuk', 'klienditugi',
        -- Russian, Ukrainian, Bulgarian
        'zakaz', 'zakazy', 'prodazhi', 'buh', 'buhgalteria', 'ofis', 'otdel', 'priemnaya', 'pochta', 'kadry',
        'снабжение',
        'инфо', 'продажи', 'офис', 'заказ', 'бухгалтерия', 'office1',
        -- Arabic, Hebrew, Indonesian, Vietnamese, Japanese, Chinese, Korean
        'مبيعات', 'معلومات', 'mabiaat', 'penjualan', 'kantor', 'layanan', 'lienhe', 'kinhdoanh', 'eigyo', 'soumu',
        'toiawase',
        'keiri', 'jinji', 'kefu', 'xiaoshou', 'shangwu', 'yewu', 'waimao', '营业', '営業', '总务', '総務', 'webmaster1'];
comment on function app.role_words is 'The folded local parts of email addresses that stand for a role, by language.';

create or replace function app.is_role_address(address text) returns boolean
    language plpgsql immutable strict parallel safe as $$
declare
    v_local text := split_part(split_part(address, '@', 1), '+', 1);
begin
    return app.folded(replace(v_local, '_', '')) = any (app.role_words())
        or regexp_replace(app.folded(split_part(v_local, '_', 1)), '[0-9]+$', '') = any (app.role_words())
        -- info.de, sales-team
        or v_local ~ '[._-]'
            and app.folded(substring(v_local from '^[^._-]+')) = any (app.role_words())
            and (v_local ~ '^[^._-]+[._-][a-zA-Z]{2}$'
                or app.folded(substring(v_local from '[._-](.+)')) = any (app.role_words()));
end
$$;
comment on function app.is_role_address is 'Whether an email address stands for a role, such as info@ or sales@, not for a person.';

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
    v_behind text;
    v_before text;
begin
    select string_agg(form, '|' order by length(form) desc, form collate "C")
    into v_behind from (select distinct app.shortened(app.folded(one, ' ')) as form from unnest(c_behind) as one) as f;
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
    v_key text := trim(regexp_replace(v_words, %L, ' ', 'g'));
begin
    v_key := regexp_replace(regexp_replace(v_key, %L, ''), %L, '');
    return replace(coalesce(nullif(trim(v_key, ' &'), ''), v_words), '&', 'and');
end
$$$function$,
        (select string_agg(app.shortened(app.folded(one)), '|') from unnest(c_attached) as one), '( (& )?(' || v_behind || '))+$', '^((' || v_before || ') )+');
end
$do$;
comment on function app.company_key is
    'A company name for comparison: folded, shortened, and without legal forms before and behind. The word and is the '
    'same in all languages.';
