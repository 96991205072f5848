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
        and company.id > cast(:after_id as bigint) --? after_id
        and company.id = any(cast(:ids as bigint[])) --? ids
),

page as (
    select picked.id, picked.place
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
            limit cast(:limit as bigint) offset cast(:offset as bigint)
        ))) with ordinality as picked (id, place)
)

select
    cast(coalesce(
        (select count(*) from filtered), --? filtered, !after_id
        (select sum(change.delta) from record_count_deltas as change where change.kind = 'companies'),
        0
    ) as bigint) as total,
    (
        select cast(json_agg(record order by page.place) as text)
        from page
        join company_records as record on record.id = page.id
    ) as data;

--:name company_get :one
--:doc One company; primary key.
select company.*
from company_records as company
where company.id = cast(:id as bigint);

--:name company_insert :scalar
--:doc Insert a company; returns its id.
--:fields company: name, legal_name, registration_number, vat_id, email, phone, website, street, city, region, postal_code,
--:fields company: country, external_id
insert into companies (
    name --* company
)
values (
    :name --* company
)
returning id;

--:name company_update :affected
--:doc Replace a company's fields; primary key.
update companies
set
    name = :name --* company
where id = cast(:id as bigint);

--:name company_delete :affected
--:doc Delete an unreferenced company; primary key.
delete from companies
where id = cast(:id as bigint);
