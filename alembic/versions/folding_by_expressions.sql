-- The functions of revision 0059, as they were in it.
create or replace function app.folded_letters(value text, p_gap text) returns text
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

create or replace function app.folded(value text, p_gap text default '') returns text
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

create or replace function app.person_key(first_name text, last_name text) returns text
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

create or replace function app.trunk_prefix(p_code text) returns text
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

create or replace function app.phone_key(phone text, p_region text default null) returns text
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

create or replace function app.phone_stored(phone text) returns text
    language sql immutable parallel safe
    return case
        when phone is null then null
        when phone !~ '[^0-9 ()/.-]|^00'
            then left(nullif(regexp_replace(phone, '[ ()/.-]', '', 'g'), ''), 80)
        else app.phone_key(phone) end;

create or replace function app.phone_lines(phone text) returns text
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

-- Groups without capture take a quarter less time. The lists of legal forms stay.
do $do$
declare
    v_former text := pg_get_functiondef('app.company_key(text)'::regprocedure);
begin
    execute replace(replace(replace(v_former,
        '(?<= )(and|und|', '(?<= )(?:and|und|'),
        '''( (& )?(', '''(?: (?:& )?(?:'),
        '''^((', '''^(?:(?:');
end
$do$;
