-- Functions of revision 0061 as they were in it.
create or replace function app.name_letters(name text) returns text
    language sql immutable parallel safe
    return replace(app.shortened(app.folded(name)), ' ', '');
comment on function app.name_letters is 'The letters of a person''s name, folded and joined: van der Berg is Vanderberg.';

-- Folding takes ten times as long as comparing, so a comparison of many names folds each of them once.
create or replace function app.name_forms_agree(words text[], letters text, other_words text[], other_letters text) returns boolean
    language sql immutable parallel safe
    return coalesce(words @> other_words or other_words @> words or letters = other_letters, true);
comment on function app.name_forms_agree is
    'Whether two names can be one person''s, each as app.name_words and app.name_letters: equal when folded, one with all '
    'words of the other, or one missing.';

create or replace function app.names_agree(one text, other text) returns boolean
    language sql immutable parallel safe
    return app.name_forms_agree(
        app.name_words(one), app.name_letters(one), app.name_words(other), app.name_letters(other));
comment on function app.names_agree is 'Whether two names can be one person''s (app.name_forms_agree).';

create or replace function app.real_name(name text, address text) returns text
    language sql immutable parallel safe
    return nullif(name, split_part(address, '@', 1));
comment on function app.real_name is 'The name of a person with an email address; null for a name made of the address.';

create or replace function app.same_person(name text, address text, other_name text, other_address text) returns boolean
    language sql immutable parallel safe
    return app.email_key(address) = app.email_key(other_address)
        and (not app.is_role_address(address) or app.names_agree(
            app.real_name(name, address), app.real_name(other_name, other_address)));
comment on function app.same_person is
    'Whether two people with names and email addresses are one: an address identifies a person, except that of a role '
    'with a name that does not agree.';

create or replace function app.lead_duplicates(p_id bigint, p_most bigint) returns table (id bigint, reason text)
    language sql stable as $$
    with lead as materialized (
        select
            one.*, app.is_role_address(one.email) as is_role, app.real_name(one.name, one.email) is null as is_nameless,
            app.phone_keys(one.phone, app.phone_region()) as phones
        from app.leads as one
        where one.id = p_id)
    select distinct on (alike.id) alike.id, alike.reason
    from lead
    cross join lateral (
        (select same.id, 'email' as reason, 1 as place, null as person_key, null as name_key
            from app.leads as same
            where not lead.is_role and same.email_key = lead.email_key and same.id <> lead.id
            limit p_most)
        union all
        -- Thousands may share the address of a role or a phone number, and comparing names takes time.
        (select near.id, 'email', 1,
                case when not lead.is_nameless and app.real_name(near.name, near.email) is not null then near.person_key end,
                near.name_key
            from app.leads as near
            where lead.is_role and near.email_key = lead.email_key and near.id <> lead.id
            limit 200)
        union all
        (select near.id, 'phone', 2, near.person_key, near.name_key
            from app.leads as near
            where near.phone_key = any(lead.phones) and near.id <> lead.id
            limit 200)
        union all
        (select same.id, 'company', 3, null, null
            from app.leads as same
            where same.person_key = lead.person_key and same.firm_key = lead.firm_key and same.id <> lead.id
            limit p_most)) as alike
    where app.name_forms_agree(
        string_to_array(alike.person_key, ' '), translate(app.shortened(alike.name_key), ' -.''', ''),
        string_to_array(lead.person_key, ' '), translate(app.shortened(lead.name_key), ' -.''', ''))
    order by alike.id, alike.place
$$;
comment on function app.lead_duplicates is
    'The leads that can be the same person as a lead, and why. p_most: of those with the same address of a person, and '
    'with the same name and company, as many at most; null for all.';

grant execute
    on function app.name_letters, app.name_forms_agree, app.real_name
    to pipeline_app, pipeline_forms, pipeline_jobs, pipeline_member, pipeline_public, pipeline_lookup;
