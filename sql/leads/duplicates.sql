--:name lead_duplicate_list :one
--:doc A page of the leads that can be the same person as a lead; leads_email, leads_phone, leads_person.
with other as materialized (
    select distinct on (found.id) found.id, found.reason
    from leads as lead
    cross join
        lateral (
            select alike.id, 'email' as reason, 1 as place
            from leads as alike
            where
                alike.email_key = lead.email_key
                and same_person(lead.name, lead.email, alike.name, alike.email)
            union all
            select alike.id, 'phone', 2
            from leads as alike
            where
                alike.phone_key = any(phone_keys(lead.phone, (select phone_region())))
                and names_agree(lead.name, alike.name)
            union all
            select alike.id, 'company', 3
            from (
                -- Folding a company is slow, and thousands of leads may be called Website Visitor.
                select namesake.id, namesake.company
                from leads as namesake
                where namesake.person_key = lead.person_key
                limit 200
            ) as alike
            where company_key(alike.company) = company_key(lead.company)
        ) as found
    where
        lead.id = cast(:id as bigint)
        and found.id <> lead.id
        and found.id > cast(:after_id as bigint) --? after_id
        and found.id = any(cast(:ids as bigint[])) --? ids
    order by found.id, found.place
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
from leads as lead
where lead.id = cast(:id as bigint);
