--:name company_list :one
--:doc A page of companies with the total; indexes for orders, companies_search_trigrams.
with
hit as materialized (select search_ids('companies', cast(:search as text[])) as ids), --? search
filtered as not materialized (
    select company.*
    from companies as company
    where
        company.organization_id is not null
        and company.external_id = cast(:external_id as text) --? external_id
        and company.website_domain = website_domain(cast(:domain as text)) --? domain
        and company.updated_at >= cast(:updated_since as timestamptz) --? updated_since
        and company.id = any(cast((select hit.ids from hit) as bigint[])) --? search
        and coalesce(company.fields @> cast(:fields as jsonb), false) --? fields
        and coalesce(company.fields @@ cast(:bounds as jsonpath), false) --? bounds
        and company.id > cast(:after_id as bigint) --? after_id
        and company.id = any(cast(:ids as bigint[])) --? ids
)

select
    cast(coalesce(
        cast(:total as bigint), --? total
        (select count(*) from filtered), --? filtered, !after_id, !total
        (select sum(change.delta) from record_count_deltas as change where change.kind = 'companies'),
        0
    ) as bigint) as total,
    (
        select cast(json_agg(record order by page.place) as text)
        from
            unnest(array((
                select company.id
                from filtered as company
                order by
                    company.organization_id
                    , company.id asc --? after_id
                    , company.sort_key asc, company.id asc --/ sort_by=name
                    , company.city_key asc nulls last, company.id asc --/ sort_by=city
                    , company.country_key asc nulls last, company.id asc --/ sort_by=country
                    , company.created_at asc, company.id asc --/ sort_by=created_at
                    , company.updated_at asc, company.id asc --/ sort_by=updated_at
                    , sort_key(company.fields ->> cast(:sort_field as text)) collate "C" asc nulls last, company.id asc --/ sort_by=own_text
                    , company.fields -> cast(:sort_field as text) asc nulls last, company.id asc --/ sort_by=own_value
                limit cast(:limit as bigint) offset cast(:offset as bigint)
            ))) with ordinality as page (id, place)
        join company_records as record on record.id = page.id
    ) as data;

--:name company_get :one
--:doc One company; primary key.
select company.*
from company_records as company
where company.id = cast(:id as bigint);

--:name company_batch_lock :many
--:doc Lock companies by ids or external ids; returns the ids in order; primary key, companies_external_id.
select company.id
from companies as company
where company.id = any(cast(:ids as bigint[])) or company.external_id = any(cast(:external_ids as text[]))
order by company.id
for update;

--:name company_insert :many
--:doc Insert companies from a JSON array; returns their ids, which rise in its order.
insert into companies (
    name, legal_name, registration_number, vat_id, email, phone, website, street, city, region, postal_code,
    country, external_id,
    fields
)
select
    given.name, given.legal_name, given.registration_number, given.vat_id, given.email, given.phone,
    given.website, given.street, given.city, given.region, given.postal_code, given.country, given.external_id,
    coalesce(given.fields, '{}')
from json_populate_recordset(cast(null as companies), cast(:rows as json)) with ordinality as given
order by given.ordinality
returning id;

--:name company_update :affected
--:doc Replace the fields of companies from a JSON array with ids; primary key.
update companies as company
set
    name = given.name,
    legal_name = given.legal_name,
    registration_number = given.registration_number,
    vat_id = given.vat_id,
    email = given.email,
    phone = given.phone,
    website = given.website,
    street = given.street,
    city = given.city,
    region = given.region,
    postal_code = given.postal_code,
    country = given.country,
    external_id = given.external_id,
    fields = coalesce(given.fields, '{}')
from json_populate_recordset(cast(null as companies), cast(:rows as json)) as given
where company.id = given.id;

--:name company_delete :affected
--:doc Delete companies; primary key.
delete from companies
where id = any(cast(:ids as bigint[]));
