--:name lead_duplicate_list :one
--:doc A page of the leads that can be the same person as a lead; leads_email, leads_phone, leads_person_firm.
with lead as materialized (
    select
        one.*,
        is_role_address(one.email) as is_role,
        one.name = split_part(one.email, '@', 1) as is_nameless,
        phone_keys(one.phone, (select phone_region())) as phones
    from leads as one
    where one.id = cast(:id as bigint)
),

other as materialized (
    select distinct on (alike.id) alike.id, alike.reason
    from lead
    cross join
        lateral (
            (
                select same.id, 'email' as reason, 1 as place, null as person_key, null as name_key
                from leads as same
                where not lead.is_role and same.email_key = lead.email_key and same.id <> lead.id
                limit cast(:most as bigint)
            )
            union all
            -- Thousands may share the address of a role or a phone number, and comparing names takes time.
            (
                select
                    near.id, 'email', 1,
                    case
                        when not lead.is_nameless and near.name <> split_part(near.email, '@', 1) then near.person_key
                    end,
                    near.name_key
                from leads as near
                where lead.is_role and near.email_key = lead.email_key and near.id <> lead.id
                limit 200
            )
            union all
            (
                select near.id, 'phone', 2, near.person_key, near.name_key
                from leads as near
                where near.phone_key = any(lead.phones) and near.id <> lead.id
                limit 200
            )
            union all
            (
                select same.id, 'company', 3, null, null
                from leads as same
                where same.person_key = lead.person_key and same.firm_key = lead.firm_key and same.id <> lead.id
                limit cast(:most as bigint)
            )
        ) as alike
    where
        (
            alike.person_key is null
            or string_to_array(alike.person_key, ' ') @> string_to_array(lead.person_key, ' ')
            or string_to_array(lead.person_key, ' ') @> string_to_array(alike.person_key, ' ')
            or translate(shortened(alike.name_key), ' -.''', '') = translate(shortened(lead.name_key), ' -.''', '')
        )
        and alike.id > cast(:after_id as bigint) --? after_id
        and alike.id = any(cast(:ids as bigint[])) --? ids
    order by alike.id, alike.place
)

select
    (select count(*) from other) as total, --? !after_id
    (
        select cast(json_agg(entry) as text)
        from (
            select
                record.id,
                record.name,
                record.email,
                record.phone,
                record.company,
                record.status,
                record.created_at,
                other.reason
            from other
            join lead_records as record on record.id = other.id
            order by other.id
            limit cast(:limit as bigint) offset cast(:offset as bigint)
        ) as entry
    ) as data
from lead;
