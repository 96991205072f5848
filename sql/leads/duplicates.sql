--:name lead_duplicate_list :one
--:doc A page of the leads that can be the same person as a lead; leads_email, leads_phone, leads_person_firm.
with other as materialized (
    select
        found.id,
        found.reason
    from lead_duplicates(cast(:id as bigint), null) as found
    where
        true
        and found.id > cast(:after_id as bigint) --? after_id
        and found.id = any(cast(:ids as bigint[])) --? ids
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

--:name lead_duplicate_ids :scalar
--:doc The ids of up to a hundred leads that can be the same person as a lead; leads_email, leads_phone, leads_person_firm.
select array(
    select found.id
    from lead_duplicates(cast(:id as bigint), 100) as found
    order by found.id
    limit 100
) as ids;
