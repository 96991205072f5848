-- Folding: one comparison of names, companies, phone numbers and domains for search, matching and import.
-- Folded texts are stored in generated columns, so their functions are immutable. A change of one, or of its data,
-- needs a revision that computes the columns anew.

-- Characters are removed by regexp_replace: translate takes ten times as long, because it compares each character with its
-- whole list.

set local role pipeline_owner;

create function app.folded_letters(value text, p_gap text) returns text
    language plpgsql immutable strict parallel safe as $$
declare
    -- Accents that stand alone, and trade marks.
    v text := lower(regexp_replace(value, '[´¨¸¯ʹʺʻʼʽˈ׳״™®©]', '', 'g'));
    v_latin boolean := v !~ '[^\u0001-\u017f]';
begin
    if not v_latin then
        -- Without characters that have no width.
        v := lower(normalize(regexp_replace(v, '[\u00ad\u034f\u061c\u0640\u180b-\u180e\u200b-\u200f\u202a-\u202e\u2060-\u206f'
                             '\ufe00-\ufe0f\ufeff]', '', 'g'), nfkc));
    end if;
    v := replace(replace(replace(replace(replace(replace(replace(replace(v,
        'ä', 'ae'), 'ö', 'oe'), 'ü', 'ue'), 'å', 'aa'), 'ø', 'oe'), 'æ', 'ae'), 'œ', 'oe'), 'ǿ', 'oe');
    if not v_latin then
        v := normalize(regexp_replace(normalize(v, nfkd),
            '[\u0300-\u036f\u0483-\u0487\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7\u0610-\u061a\u064b-\u065f\u0670'
            '\u06d6-\u06dc\u06df-\u06e8\u06ea-\u06ed\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff\ufe20-\ufe2f]', '', 'g'), nfc);
    end if;
    v := lower(extensions.unaccent('extensions.unaccent'::regdictionary, v));
    if octet_length(v) = length(v) then
        return v;
    end if;
    if v ~ '[ςəı²³¹ªºىیکةۀھہ٠-٩۰-۹०-९০-৯]' then
        v := translate(v, 'ςəı²³¹ªºىیکةۀھہ٠١٢٣٤٥٦٧٨٩۰۱۲۳۴۵۶۷۸۹०१२३४५६७८९০১২৩৪৫৬৭৮৯',
            'σei231aoييكهههه0123456789012345678901234567890123456789');
    end if;
    return regexp_replace(
        v, '[‘’‚‛′″“”„‟·・‧․…「」『』〈〉《》【】〔〕、。،؛؟־᠊‐‑‒–—―−⁃«»‹›¿¡՚՛՜՝՞\u00ad\u200b]', p_gap, 'g');
end
$$;
comment on function app.folded_letters is 'The part of app.folded for texts with letters beyond ASCII.';

create function app.folded(value text, p_gap text default '') returns text
    language plpgsql immutable strict parallel safe as $$
declare
    v text;
begin
    if octet_length(value) = length(value) then
        v := lower(value collate "C");
    else
        v := app.folded_letters(value, p_gap);
    end if;
    if p_gap = '' then
        return regexp_replace(v, '[]''"`.,:;!?()[{}<>/\\|&-]', '', 'g');
    end if;
    return trim(regexp_replace(regexp_replace(v, '[''"`.]', '', 'g'), '[] ,:;!?()[{}<>/\\|\t\r\n-]+', ' ', 'g'));
end
$$;
comment on function app.folded is
    'A text without case, accents and punctuation: NFKC, ß as ss, ä as ae, final sigma as sigma, digits of all scripts '
    'as 0 to 9. p_gap replaces punctuation between words. It relies on the dictionary file unaccent.rules.';

create function app.shortened(folded text) returns text
    language sql immutable parallel safe
    return replace(replace(replace(replace(folded, 'ae', 'a'), 'oe', 'o'), 'ue', 'u'), 'aa', 'a');
comment on function app.shortened is 'A folded text with ae, oe, ue and aa as a, o, u and a, so that Müller, Mueller and Muller are equal.';

create function app.searched(value text) returns text
    language plpgsql immutable strict parallel safe as $$
declare
    v_long text := app.folded(value);
    v_short text := app.shortened(v_long);
begin
    return case when v_long = v_short then v_long else v_long || E'\n' || v_short end;
end
$$;
comment on function app.searched is
    'The text that a search looks through: folded, and shortened if that differs. Lines separate fields, so that a '
    'word cannot match across them.';

create function app.search_patterns(word text) returns text[]
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

-- In SQL and not strict, so that PostgreSQL inlines it.
create function app.name_lines(first_name text, last_name text) returns text
    language sql immutable parallel safe
    return case
        when strpos(first_name, ' ') > 0 or strpos(last_name, ' ') > 0
            or octet_length(first_name) > length(first_name) and first_name || coalesce(last_name, '')
                ~ '[\u0e00-\u0fff\u1000-\u109f\u1780-\u17ff\u2e80-\u9fff\uac00-\ud7af\uf900-\ufaff]'
            then first_name || ' ' || coalesce(last_name, '') || E'\n'
                || replace(first_name || coalesce(last_name, ''), ' ', '') || E'\n'
                || replace(coalesce(last_name, '') || first_name, ' ', '')
        else first_name || ' ' || coalesce(last_name, '') end;
comment on function app.name_lines is
    'The lines of a person''s name for a search. Names with spaces, or in scripts without spaces, have lines that join '
    'them, in both orders: 李 and 小龙 are found as 小龙李 and 李小龙.';

create function app.name_words(name text) returns text[]
    language plpgsql immutable strict parallel safe as $$
declare
    v text := app.shortened(app.folded(name, ' '));
begin
    if octet_length(v) > length(v) then
        v := regexp_replace(v, '([\u2e80-\u9fff\uac00-\ud7af\uf900-\ufaff])', ' \1 ', 'g');
    end if;
    return array(
        select distinct word collate "C" from unnest(string_to_array(v, ' ')) as word where word <> '' order by 1);
end
$$;
comment on function app.name_words is
    'The different words of a person''s name, folded and sorted; each character of Chinese, Japanese and Korean is one.';

create function app.person_key(first_name text, last_name text) returns text
    language plpgsql immutable parallel safe as $$
declare
    v_first text collate "C" := lower(first_name collate "C");
    v_last text collate "C" := lower(last_name collate "C");
begin
    -- Two plain words, as most names are.
    if v_first ~ '^[a-z0-9]+$' and v_last ~ '^[a-z0-9]+$' and v_first <> v_last then
        v_first := app.shortened(v_first);
        v_last := app.shortened(v_last);
        return left(least(v_first, v_last) || ' ' || greatest(v_first, v_last), 200);
    end if;
    return left(array_to_string(app.name_words(first_name || ' ' || coalesce(last_name, '')), ' '), 200);
end
$$;
comment on function app.person_key is 'A person''s name for comparison, without case, accents and the order of its words.';

create function app.name_letters(name text) returns text
    language sql immutable parallel safe
    return replace(app.shortened(app.folded(name)), ' ', '');
comment on function app.name_letters is 'The letters of a person''s name, folded and joined: van der Berg is Vanderberg.';

-- Folding takes ten times as long as comparing, so a comparison of many names folds each of them once.
create function app.name_forms_agree(words text[], letters text, other_words text[], other_letters text) returns boolean
    language sql immutable parallel safe
    return coalesce(words @> other_words or other_words @> words or letters = other_letters, true);
comment on function app.name_forms_agree is
    'Whether two names can be one person''s, each as app.name_words and app.name_letters: equal when folded, one with all '
    'words of the other, or one missing.';

create function app.names_agree(one text, other text) returns boolean
    language sql immutable parallel safe
    return app.name_forms_agree(
        app.name_words(one), app.name_letters(one), app.name_words(other), app.name_letters(other));
comment on function app.names_agree is 'Whether two names can be one person''s (app.name_forms_agree).';

create function app.real_name(name text, address text) returns text
    language sql immutable parallel safe
    return nullif(name, split_part(address, '@', 1));
comment on function app.real_name is 'The name of a person with an email address; null for a name made of the address.';

-- Local parts of addresses that several people read.
create function app.role_words() returns text[]
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

create function app.is_role_address(address text) returns boolean
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

create function app.same_person(name text, address text, other_name text, other_address text) returns boolean
    language sql immutable parallel safe
    return app.email_key(address) = app.email_key(other_address)
        and (not app.is_role_address(address) or app.names_agree(
            app.real_name(name, address), app.real_name(other_name, other_address)));
comment on function app.same_person is
    'Whether two people with names and email addresses are one: an address identifies a person, except that of a role '
    'with a name that does not agree.';

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
create function app.company_key(name text) returns text
    language plpgsql immutable strict parallel safe as $$
declare
    -- Single letters join: s a de c v is sa de cv.
    v_words text := regexp_replace(
        regexp_replace(app.shortened(app.folded(replace(name, '&', ' & '), ' ')), '(?<= )(?:and|und|et|y|e|i|en|og|och|ja|ve|и|і|та|և|και|و|&)(?= )', '&', 'g'),
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
        '(?: (?:& )?(?:' || v_behind || '))+$', '^(?:(?:' || v_before || ') )+');
end
$do$;
comment on function app.company_key is
    'A company name for comparison: folded, shortened, and without legal forms before and behind. The word and is the '
    'same in all languages.';

create function app.label_shown(label text) returns text
    language plpgsql immutable strict parallel safe as $$
declare
    v_input text := substr(lower(label collate "C"), 5);
    v_cut integer := length(v_input) - strpos(reverse(v_input), '-');
    v_output integer[] := '{}';
    v_n integer := 128;
    v_i integer := 0;
    v_bias integer := 72;
    v_position integer := 1;
    v_before integer;
    v_weight integer;
    v_digit integer;
    v_limit integer;
    v_k integer;
    v_delta integer;
    v_length integer;
begin
    -- RFC 3492, section 6.2.
    if strpos(v_input, '-') > 0 then
        v_output := array(select ascii(sign) from regexp_split_to_table(left(v_input, v_cut), '') as sign where sign <> '');
        v_position := v_cut + 2;
    end if;
    while v_position <= length(v_input) loop
        v_before := v_i;
        v_weight := 1;
        v_k := 36;
        loop
            v_digit := strpos('abcdefghijklmnopqrstuvwxyz0123456789', substr(v_input, v_position, 1)) - 1;
            if v_digit < 0 or v_position > length(v_input) then
                return label;
            end if;
            v_position := v_position + 1;
            v_i := v_i + v_digit * v_weight;
            v_limit := greatest(1, least(26, v_k - v_bias));
            exit when v_digit < v_limit;
            v_weight := v_weight * (36 - v_limit);
            v_k := v_k + 36;
        end loop;
        v_length := cardinality(v_output) + 1;
        v_delta := (v_i - v_before) / case when v_before = 0 then 700 else 2 end;
        v_delta := v_delta + v_delta / v_length;
        v_k := 0;
        while v_delta > 455 loop
            v_delta := v_delta / 35;
            v_k := v_k + 36;
        end loop;
        v_bias := v_k + 36 * v_delta / (v_delta + 38);
        v_n := v_n + v_i / v_length;
        v_i := v_i % v_length;
        v_output := v_output[1:v_i] || v_n || v_output[v_i + 1:];
        v_i := v_i + 1;
    end loop;
    return coalesce(
        (select string_agg(chr(code), '' order by place) from unnest(v_output) with ordinality as o (code, place)), label);
exception
    when numeric_value_out_of_range or program_limit_exceeded or invalid_parameter_value then
        return label;
end
$$;
comment on function app.label_shown is 'A label of a domain (xn--…) in Unicode; unchanged if it is not valid Punycode.';

create function app.domain_decoded(address text) returns text
    language sql immutable strict parallel safe
    return (
        select string_agg(case when part ~* '^xn--' then app.label_shown(part) else part end, '' order by place)
        from regexp_split_to_table(address, '(?=[.@])|(?<=[.@])') with ordinality as p (part, place));
comment on function app.domain_decoded is 'A domain or email address with all labels in Unicode.';

-- In SQL and not strict, so that PostgreSQL inlines it.
create function app.domain_shown(address text) returns text
    language sql immutable parallel safe
    return case when strpos(lower(address collate "C"), 'xn--') > 0 then app.domain_decoded(address) else address end;
comment on function app.domain_shown is 'A domain or email address as people read it: xn--mller-kva.example is müller.example.';

create function app.domain_lines(address text) returns text
    language sql immutable parallel safe
    return case when strpos(lower(address collate "C"), 'xn--') > 0
        then app.domain_decoded(address) || E'\n' || address else coalesce(address, '') end;
comment on function app.domain_lines is 'The lines of a domain or email address for a search: as shown, and as stored if that differs.';

create function app.website_domain(address text) returns text
    language sql immutable parallel safe
    return app.domain_shown(substring(lower(normalize(trim(address), nfkc)) from
        '^(?:[a-z][a-z0-9+.-]*:\/\/)?(?:[^\/?#@]*@)?(?:www\.)?([^\/?#:@\s]+\.[^\/?#:@\s]+)'));
comment on function app.website_domain is
    'The domain of a domain, URL or email address in Unicode, without www; null if there is none.';

create function app.calling_code(p_region text) returns text
    language sql immutable strict parallel safe
    return substring(' '
        || 'AC247 AD376 AE971 AF93 AG1 AI1 AL355 AM374 AO244 AR54 AS1 AT43 AU61 AW297 AX358 AZ994 BA387 BB1 BD880 '
        'BE32 BF226 BG359 BH973 BI257 BJ229 BL590 BM1 BN673 BO591 BQ599 BR55 BS1 BT975 BW267 BY375 BZ501 CA1 CC61 '
        'CD243 CF236 CG242 CH41 CI225 CK682 CL56 CM237 CN86 CO57 CR506 CU53 CV238 CW599 CX61 CY357 CZ420 DE49 '
        'DJ253 DK45 DM1 DO1 DZ213 EC593 EE372 EG20 EH212 ER291 ES34 ET251 FI358 FJ679 FK500 FM691 FO298 FR33 '
        'GA241 GB44 GD1 GE995 GF594 GG44 GH233 GI350 GL299 GM220 GN224 GP590 GQ240 GR30 GT502 GU1 GW245 GY592 '
        'HK852 HN504 HR385 HT509 HU36 ID62 IE353 IL972 IM44 IN91 IO246 IQ964 IR98 IS354 IT39 JE44 JM1 JO962 JP81 '
        'KE254 KG996 KH855 KI686 KM269 KN1 KP850 KR82 KW965 KY1 KZ7 LA856 LB961 LC1 LI423 LK94 LR231 LS266 LT370 '
        'LU352 LV371 LY218 MA212 MC377 MD373 ME382 MF590 MG261 MH692 MK389 ML223 MM95 MN976 MO853 MP1 MQ596 MR222 '
        'MS1 MT356 MU230 MV960 MW265 MX52 MY60 MZ258 NA264 NC687 NE227 NF672 NG234 NI505 NL31 NO47 NP977 NR674 '
        'NU683 NZ64 OM968 PA507 PE51 PF689 PG675 PH63 PK92 PL48 PM508 PR1 PS970 PT351 PW680 PY595 QA974 RE262 '
        'RO40 RS381 RU7 RW250 SA966 SB677 SC248 SD249 SE46 SG65 SH290 SI386 SJ47 SK421 SL232 SM378 SN221 SO252 '
        'SR597 SS211 ST239 SV503 SX1 SY963 SZ268 TA290 TC1 TD235 TG228 TH66 TJ992 TK690 TL670 TM993 TN216 TO676 '
        'TR90 TT1 TV688 TW886 TZ255 UA380 UG256 US1 UY598 UZ998 VA39 VC1 VE58 VG1 VI1 VN84 VU678 WF681 WS685 '
        'XK383 YE967 YT262 ZA27 ZM260 ZW263 ' from ' ' || p_region || '([0-9]+) ');
comment on function app.calling_code is 'The calling code of a region, such as 49 for DE (ITU-T E.164, from libphonenumber).';

-- In SQL and not strict, so that PostgreSQL inlines it.
create function app.trunk_prefix(p_code text) returns text
    language sql immutable parallel safe
    return case
        when p_code is null then null
        when p_code = '1' then '1'
        when p_code in ('7', '993') then '8'
        when p_code = '375' then '80'
        when p_code = '36' then '06'
        when p_code in (
            '30', '34', '39', '45', '47', '48', '52', '56', '65', '216', '220', '221', '222', '223', '224', '225',
            '226', '227', '228', '229', '230', '235', '236', '237', '238', '239', '240', '241', '242', '244', '245',
            '246', '247', '248', '253', '257', '258', '266', '267', '268', '269', '290', '297', '298', '299', '350',
            '351', '352', '354', '356', '357', '371', '372', '376', '378', '420', '500', '501', '502', '503', '504',
            '505', '506', '507', '509', '592', '597', '599', '670', '672', '673', '674', '675', '676', '677', '678',
            '679', '680', '681', '682', '683', '685', '687', '688', '689', '690', '691', '852', '853', '960', '965',
            '968', '973', '974', '975', '992', '998') then ''
        else '0'
    end;
comment on function app.trunk_prefix is
    'The digits before a national number that a call from abroad leaves out, by calling code (from libphonenumber).';

create function app.phone_key(phone text, p_region text default null) returns text
    language plpgsql immutable parallel safe as $$
declare
    v_text text := regexp_replace(phone, '[ ()/.-]', '', 'g');
    v_plus boolean;
    v_digits text;
    v_home text := app.calling_code(upper(p_region));
    v_trunk text := app.trunk_prefix(v_home);
    v_code text;
begin
    if v_text ~ '[^+0-9]' then
        -- Digits of other scripts, and no extension.
        v_text := regexp_replace(
            app.folded(phone, ' '), '\s*(ext|extension|x|#|durchwahl|dw|poste|int|доб)\s*=?\s*[0-9]{1,7}$', '');
        v_text := regexp_replace(v_text, '[^0-9+]', '', 'g');
    end if;
    v_plus := v_text like '+%';
    v_digits := replace(v_text, '+', '');
    if v_digits = '' or length(v_digits) > 18 then
        return null;
    end if;
    if not v_plus and v_digits like '00%' or v_home = '1' and v_digits ~ '^011[0-9]{9}' then
        v_plus := true;
        v_digits := regexp_replace(v_digits, '^(00|011)', '');
    end if;
    -- Spreadsheets drop the plus.
    v_plus := v_plus or v_trunk in ('', '0') and length(v_digits) >= length(v_home) + case v_trunk when '0' then 8 else 9 end
        and v_digits like v_home || '%';
    if v_plus then
        v_code := coalesce(
            substring(v_digits from '^(?:1|7|20|27|3[0-469]|4[013-9]|5[1-8]|6[0-6]|8[1246]|9[0-58])'),
            substring(v_digits from '^[2-9][0-9]{2}'));
        if v_code is null then
            return '+' || v_digits;
        end if;
        v_trunk := app.trunk_prefix(v_code);
        return '+' || v_code || case
            when v_trunk in ('0', '06') then regexp_replace(substr(v_digits, length(v_code) + 1), '^' || v_trunk, '')
            else substr(v_digits, length(v_code) + 1) end;
    end if;
    if v_home is null or length(v_digits) < 4 then
        return v_digits;
    end if;
    return '+' || v_home || case
        when v_trunk in ('0', '06') then regexp_replace(v_digits, '^' || v_trunk, '')
        when v_trunk <> '' and length(v_digits) > 10 - length(v_home) + 1 then regexp_replace(v_digits, '^' || v_trunk, '')
        else v_digits end;
end
$$;
comment on function app.phone_key is
    'A phone number for comparison: its E.164 form, in which a national number is one of the region (ISO 3166). Without '
    'a region a national number keeps its digits. Null without digits.';

create function app.phone_keys(phone text, p_region text) returns text[]
    language plpgsql immutable parallel safe as $$
declare
    v_key text := app.phone_key(phone, p_region);
    v_home text := app.calling_code(upper(p_region));
    v_national text := substr(v_key, length(v_home) + 2);
begin
    if v_key is null or v_home is null or v_key not like '+' || v_home || '%' then
        return array_remove(array[v_key], null);
    end if;
    return array[v_key, app.trunk_prefix(v_home) || v_national, v_national, v_home || v_national];
end
$$;
comment on function app.phone_keys is
    'The values of app.phone_key without a region that a phone number of this region can have. Empty without digits.';

-- In SQL and not strict, so that PostgreSQL inlines it. A plain national number needs no call.
create function app.phone_stored(phone text) returns text
    language sql immutable parallel safe
    return case
        when phone is null then null
        when phone !~ '[^0-9 ()/.-]|^00'
            then left(nullif(regexp_replace(phone, '[ ()/.-]', '', 'g'), ''), 80)
        else app.phone_key(phone) end;
comment on function app.phone_stored is 'app.phone_key of a number without a region.';

create function app.phone_lines(phone text) returns text
    language plpgsql immutable parallel safe as $$
declare
    v_digits text := regexp_replace(phone, '[ ()/.-]', '', 'g');
    v_key text := app.phone_stored(phone);
begin
    return case
        when v_key is null then ''
        when v_key = v_digits then v_key
        else replace(v_digits, '+', '') || E'\n' || v_key end;
end
$$;
comment on function app.phone_lines is 'The lines of a phone number for a search: its digits, and app.phone_key if that can differ.';

create function app.country_region(country text) returns text
    language sql immutable strict parallel safe
    return case when country ~ '^[A-Za-z]{2}$' and upper(country) <> 'UK' then upper(country) else substring(
        'AC|ascensionisland| AD|andorra| AE|unitedarabemirates|الاماراتالعربيةالمتحدة|uae| '
        'AF|afghanistan|افغانستان| AG|antiguabarbuda| AI|anguilla| AL|albania|shqiperi| AM|armenia|հայաստան| '
        'AO|angola| AR|argentina| AS|americansamoa| AT|austria|osterreich| AU|australia| AW|aruba| '
        'AX|alandislands|aland| AZ|azerbaijan|azərbaycan|азәрбајҹан| '
        'BA|bosniaherzegovina|боснаихерцеговина|bosnaihercegovina| BB|barbados| BD|bangladesh|বলদশ| '
        'BE|belgium|belgie|belgique|belgien| BF|burkinafaso| BG|bulgaria|българия| BH|bahrain|البحرين| '
        'BI|burundi|uburundi| BJ|benin| BL|stbarthelemy|saintbarthelemy| BM|bermuda| BN|brunei|بروني| BO|bolivia| '
        'BQ|caribbeannetherlands|caribischnederland| BR|brazil|brasil| BS|bahamas| BT|bhutan|འབག| BW|botswana| '
        'BY|belarus|беларусь| BZ|belize| CA|canada| CC|cocos| CD|congokinshasa| '
        'CF|centralafricanrepublic|kodorosesetibeafrika|republiquecentrafricaine| CG|congobrazzaville| '
        'CH|switzerland|schweiz|schwiiz|suisse| CI|cotedivoire|ivorycoast| CK|cookislands| CL|chile| '
        'CM|cameroon|cameroun| CN|china|中国| CO|colombia| CR|costarica| CU|cuba| CV|capeverde|caboverde| '
        'CW|curacao|korsou| CX|christmasisland| CY|cyprus|κυπροσ|kıbrıs| CZ|czechia|cesko|czechrepublic| '
        'DE|germany|deutschland| DJ|djibouti|جيبوتي| DK|denmark|danmark| DM|dominica| '
        'DO|dominicanrepublic|republicadominicana| DZ|algeria|الجزاير|algerie| EC|ecuador| EE|estonia|eesti| '
        'EG|egypt|مصر| EH|westernsahara|الصحراءالغربية| ER|eritrea|ኤርትራ|اريتريا| ES|spain|espana| '
        'ET|ethiopia|ኢትዮጵያ| FI|finland|suomi| FJ|fiji| FK|falklandislands| FM|micronesia| '
        'FO|faroeislands|føroyar| FR|france| GA|gabon| GB|unitedkingdom|uk|greatbritain|england|scotland|wales| '
        'GD|grenada| GE|georgia|საქართველო| GF|frenchguiana|guyanefrancaise| GG|guernsey| GH|ghana| GI|gibraltar| '
        'GL|greenland|kalaallitnunaat| GM|gambia| GN|guinea|guinee| GP|guadeloupe| '
        'GQ|equatorialguinea|guineaecuatorial|guineeequatoriale|guineequatorial| GR|greece|ελλαδα| GT|guatemala| '
        'GU|guam| GW|guineabissau|guinebissau| GY|guyana| HK|hongkongsarchina|中國香港特別行政區| HN|honduras| '
        'HR|croatia|hrvatska| HT|haiti| HU|hungary|magyarorszag| ID|indonesia| IE|ireland|eire| '
        'IL|israel|ישראל|اسراييل| IM|isleofman|ellanvannin| IN|india|भरत| IO|britishindianoceanterritory| '
        'IQ|iraq|العراق| IR|iran|ایران| IS|iceland|island| IT|italy|italia| JE|jersey| JM|jamaica| '
        'JO|jordan|الاردن| JP|japan|日本| KE|kenya| KG|kyrgyzstan|кыргызстан|киргизия| KH|cambodia|កមពជ| '
        'KI|kiribati| KM|comoros|جزرالقمر| KN|stkittsnevis| KP|northkorea|북한| '
        'KR|southkorea|대한민국|korea| KW|kuwait|الكويت| KY|caymanislands| KZ|kazakhstan|казахстан|қазақстан| '
        'LA|laos|ລາວ| LB|lebanon|لبنان| LC|stlucia| LI|liechtenstein|liachteschtai| LK|srilanka|ශරලකව|இலஙக| '
        'LR|liberia| LS|lesotho| LT|lithuania|lietuva| LU|luxembourg|letzebuerg|luxemburg| LV|latvia|latvija| '
        'LY|libya|ليبيا| MA|morocco|المغرب|maroc|merruk| MC|monaco| MD|moldova|republicamoldova| '
        'ME|montenegro|crnagora| MF|stmartin|saintmartin| MG|madagascar|madagasikara| MH|marshallislands| '
        'MK|northmacedonia|севернамакедонија| ML|mali| MM|myanmar|မနမ| MN|mongolia|монгол| '
        'MO|macaosarchina|中國澳門特別行政區|macauraedachina| MP|northernmarianaislands| MQ|martinique| '
        'MR|mauritania|موريتانيا| MS|montserrat| MT|malta| MU|mauritius|maurice| MV|maldives|ދވހރއޖ| MW|malawi| '
        'MX|mexico| MY|malaysia| MZ|mozambique|mocambique| NA|namibia| NC|newcaledonia|nouvellecaledonie| '
        'NE|niger| NF|norfolkisland| NG|nigeria|naijiria| NI|nicaragua| NL|netherlands|nederland|holland| '
        'NO|norway|norge|noreg| NP|nepal|नपल| NR|nauru| NU|niue| NZ|newzealand|aotearoa| OM|oman|عمان| PA|panama| '
        'PE|peru| PF|frenchpolynesia|polynesiefrancaise| PG|papuanewguinea|papuaniugini| '
        'PH|philippines|pilipinas| PK|pakistan|پاکستان| PL|poland|polska| '
        'PM|stpierremiquelon|saintpierreetmiquelon| PR|puertorico| PS|palestinianterritories|الاراضيالفلسطينية| '
        'PT|portugal| PW|palau| PY|paraguay|paraguai| QA|qatar|قطر| RE|reunion|lareunion| RO|romania| '
        'RS|serbia|srbija|србија| RU|russia|россия|russianfederation| RW|rwanda|urwanda| '
        'SA|saudiarabia|المملكةالعربيةالسعودية| SB|solomonislands| SC|seychelles| SD|sudan|السودان| '
        'SE|sweden|sverige| SG|singapore|新加坡|singapura| SH|sthelena| SI|slovenia|slovenija| '
        'SJ|svalbardjanmayen|svalbardogjanmayen| SK|slovakia|slovensko| SL|sierraleone| SM|sanmarino| '
        'SN|senegal|senegaal| SO|somalia|soomaaliya|الصومال| SR|suriname| SS|southsudan| '
        'ST|saotomeprincipe|saotomeeprincipe| SV|elsalvador| SX|sintmaarten| SY|syria|سوريا| SZ|eswatini| '
        'TA|tristandacunha| TC|turkscaicosislands| TD|chad|تشاد|tchad| TG|togo| TH|thailand|ไทย| '
        'TJ|tajikistan|тоҷикистон| TK|tokelau| TL|timorleste| TM|turkmenistan| TN|tunisia|تونس|tunisie| TO|tonga| '
        'TR|turkiye|turkey| TT|trinidadtobago| TV|tuvalu| TW|taiwan|台灣| TZ|tanzania| UA|ukraine|украіна|украина| '
        'UG|uganda| US|unitedstates|usa|unitedstatesofamerica| UY|uruguay| UZ|uzbekistan|oʻzbekiston|узбекистон| '
        'VA|vaticancity|cittadelvaticano| VC|stvincentgrenadines| VE|venezuela| VG|britishvirginislands| '
        'VI|usvirginislands| VN|vietnam| VU|vanuatu| WF|wallisfutuna|wallisetfutuna| WS|samoa| '
        'XK|kosovo|kosove|косово| YE|yemen|اليمن| YT|mayotte| ZA|southafrica| ZM|zambia| ZW|zimbabwe| ' from '([A-Z]{2})\|(?:[^ ]+\|)?'
        || coalesce(nullif(regexp_replace(app.plain(country), '[^[:alnum:]]', '', 'g'), ''), '-') || '\|')
    end;
comment on function app.country_region is
    'The code (ISO 3166) of a country, given as code or by its name in English or its own languages; null if unknown.';

grant execute
    on function app.folded_letters, app.folded, app.shortened, app.searched, app.search_patterns, app.name_lines,
    app.name_words, app.person_key, app.name_letters, app.name_forms_agree, app.names_agree, app.real_name,
    app.role_words, app.is_role_address, app.same_person, app.company_key, app.label_shown,
    app.domain_decoded, app.domain_shown, app.domain_lines, app.website_domain, app.calling_code, app.trunk_prefix,
    app.phone_key, app.phone_keys, app.phone_stored, app.phone_lines, app.country_region
    to pipeline_app, pipeline_forms, pipeline_jobs, pipeline_member, pipeline_public, pipeline_lookup;
