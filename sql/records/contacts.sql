--:name contact_list :one
--:doc A page of contacts and how many there are; an index for each order, contacts_search_trigrams.
with
--? rare {
hit as materialized (
    select search_ids('contacts', cast(:patterns as text[])) as ids
),
--? }
filtered as not materialized (
    select contact.*
    from contacts as contact
    where
        contact.organization_id is not null
        and contact.company_id = cast(:company_id as bigint) --? company_id (skewed)
        and contact.updated_at >= cast(:updated_since as timestamptz) --? updated_since (skewed)
        and contact.id = any(cast((select hit.ids from hit) as bigint[])) --? rare
        and contact.search_text like all(cast(:patterns as text[])) --? patterns, !rare (skewed)
    offset 0 --? few
),

counted as materialized (
    select
        0
        + cast(:total as bigint) --? total
        --? !total {
        --? !company_id|updated_since|patterns {
        + (
            select cast(coalesce(sum(change.delta), 0) as bigint)
            from record_count_deltas as change
            where change.kind = 'contacts'
        )
        --? }
        + (select count(*) from filtered) --? company_id|updated_since|patterns
        --? }
            as total
)

select
    counted.total
    --? !counting {
    , (
        select cast(json_agg(record order by picked.place) as text)
        from
            unnest(
                array(
                    select near.id
                    from (
                        select contact.id
                        from filtered as contact
                        order by
                            contact.organization_id
                            , contact.name_key asc, contact.id asc --/ sort_by=name
                            , contact.email_key asc nulls last, contact.id asc --/ sort_by=email
                            , contact.company_key asc nulls last, contact.id asc --/ sort_by=company_name
                            , contact.created_at asc, contact.id asc --/ sort_by=created_at
                            , contact.updated_at asc, contact.id asc --/ sort_by=updated_at
                        limit 100 --? near
                    ) as near
                    limit cast(:limit as bigint) offset cast(:offset as bigint)
                )
            ) with ordinality as picked (id, place)
        join contact_records as record on record.id = picked.id
    ) as data
    --? }
from counted;

--:name contact_get :one
--:doc One contact; primary keys.
select contact.*
from contact_records as contact
where contact.id = cast(:id as bigint);

--:name contact_insert :scalar
--:doc A new contact; answers its id.
--:fields contact: first_name, last_name, email, phone, job_title, company_id
insert into contacts (
    first_name --* contact
)
values (
    :first_name --* contact
)
returning id;

--:name contact_update :affected
--:doc Replace a contact's fields; primary key.
update contacts
set
    first_name = :first_name --* contact
where id = cast(:id as bigint);

--:name contact_delete :affected
--:doc Delete a contact that nothing refers to; primary key.
delete from contacts
where id = cast(:id as bigint);
