--:name contact_list :one
--:doc A page of contacts with the total; indexes for orders except by company, contacts_search_trigrams.
with
hit as materialized (select search_ids('contacts', cast(:search as text[])) as ids), --? search
filtered as not materialized (
    select contact.*
    from contacts as contact
    where
        contact.organization_id is not null
        and contact.external_id = cast(:external_id as text) --? external_id
        and contact.email_key = email_key(cast(:email as text)) --? email
        and contact.company_id = cast(:company_id as bigint) --? company_id
        and contact.updated_at >= cast(:updated_since as timestamptz) --? updated_since
        and contact.id = any(cast((select hit.ids from hit) as bigint[])) --? search
        and coalesce(contact.fields @> cast(:fields as jsonb), false) --? fields
        and coalesce(contact.fields @@ cast(:bounds as jsonpath), false) --? bounds
        and contact.id > cast(:after_id as bigint) --? after_id
        and contact.id = any(cast(:ids as bigint[])) --? ids
)

select
    cast(coalesce(
        cast(:total as bigint), --? total
        (select count(*) from filtered), --? filtered, !after_id, !total
        (select sum(change.delta) from record_count_deltas as change where change.kind = 'contacts'),
        0
    ) as bigint) as total,
    (
        select cast(json_agg(record order by page.place) as text)
        from
            unnest(array((
                select contact.id
                from filtered as contact
                left join companies as company on contact.organization_id = company.organization_id and contact.company_id = company.id --? sort_by=company_name
                order by
                    contact.organization_id
                    , contact.id asc --? after_id
                    , contact.name_key asc, contact.id asc --/ sort_by=name
                    , contact.email_key asc nulls last, contact.id asc --/ sort_by=email
                    , company.sort_key asc nulls last, contact.id asc --/ sort_by=company_name
                    , contact.created_at asc, contact.id asc --/ sort_by=created_at
                    , contact.updated_at asc, contact.id asc --/ sort_by=updated_at
                    , sort_key(contact.fields ->> cast(:sort_field as text)) collate "C" asc nulls last, contact.id asc --/ sort_by=own_text
                    , contact.fields -> cast(:sort_field as text) asc nulls last, contact.id asc --/ sort_by=own_value
                limit cast(:limit as bigint) offset cast(:offset as bigint)
            ))) with ordinality as page (id, place)
        join contact_records as record on record.id = page.id
    ) as data;

--:name contact_get :one
--:doc One contact; primary keys.
select contact.*
from contact_records as contact
where contact.id = cast(:id as bigint);

--:name contact_batch_lock :many
--:doc Lock contacts by ids or external ids; returns the ids in order; primary key, contacts_external_id.
select contact.id
from contacts as contact
where contact.id = any(cast(:ids as bigint[])) or contact.external_id = any(cast(:external_ids as text[]))
order by contact.id
for update;

--:name contact_insert :many
--:doc Insert contacts from a JSON array; returns their ids, which rise in its order.
insert into contacts (
    first_name, last_name, email, phone, job_title, company_id, external_id,
    fields
)
select
    given.first_name, given.last_name, given.email, given.phone, given.job_title, given.company_id,
    given.external_id,
    coalesce(given.fields, '{}')
from json_populate_recordset(cast(null as contacts), cast(:rows as json)) with ordinality as given
order by given.ordinality
returning id;

--:name contact_update :affected
--:doc Replace the fields of contacts from a JSON array with ids; primary key.
update contacts as contact
set
    first_name = given.first_name,
    last_name = given.last_name,
    email = given.email,
    phone = given.phone,
    job_title = given.job_title,
    company_id = given.company_id,
    external_id = given.external_id,
    fields = coalesce(given.fields, '{}')
from json_populate_recordset(cast(null as contacts), cast(:rows as json)) as given
where contact.id = given.id;

--:name contact_delete :affected
--:doc Delete contacts; primary key.
delete from contacts
where id = any(cast(:ids as bigint[]));
