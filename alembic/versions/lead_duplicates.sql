-- The function of revision 0056, as it was in it.
create or replace function app.lead_duplicates(p_id bigint, p_most bigint) returns table (id bigint, reason text)
    language sql stable as $$
    with lead as materialized (
        select
            one.*, app.is_role_address(one.email) as is_role, one.name = split_part(one.email, '@', 1) as is_nameless,
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
                case when not lead.is_nameless and near.name <> split_part(near.email, '@', 1) then near.person_key end,
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
    where
        alike.person_key is null
        or string_to_array(alike.person_key, ' ') @> string_to_array(lead.person_key, ' ')
        or string_to_array(lead.person_key, ' ') @> string_to_array(alike.person_key, ' ')
        or translate(app.shortened(alike.name_key), ' -.''', '') = translate(app.shortened(lead.name_key), ' -.''', '')
    order by alike.id, alike.place
$$;
comment on function app.lead_duplicates is
    'The leads that can be the same person as a lead, and why. p_most: of those with the same address of a person, and '
    'with the same name and company, as many at most; null for all.';
grant execute on function app.lead_duplicates to pipeline_member;
