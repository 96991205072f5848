--:name company_list :one
--:doc A page of companies and how many there are; an index for each order, companies_search_trigrams.
with
--? rare {
hit as materialized (
    select search_ids('companies', cast(:patterns as text[])) as ids
),
--? }
filtered as not materialized (
    select company.*
    from companies as company
    where
        company.organization_id is not null
        and company.updated_at >= cast(:updated_since as timestamptz) --? updated_since (skewed)
        and company.id = any(cast((select hit.ids from hit) as bigint[])) --? rare
        and company.search_text like all(cast(:patterns as text[])) --? patterns, !rare (skewed)
    offset 0 --? few
),

counted as materialized (
    select
        0
        + cast(:total as bigint) --? total
        --? !total {
        --? !updated_since|patterns {
        + (
            select cast(coalesce(sum(change.delta), 0) as bigint)
            from record_count_deltas as change
            where change.kind = 'companies'
        )
        --? }
        + (select count(*) from filtered) --? updated_since|patterns
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
                        select company.id
                        from filtered as company
                        order by
                            company.organization_id
                            , company.sort_key asc, company.id asc --/ sort_by=name
                            , company.city_key asc nulls last, company.id asc --/ sort_by=city
                            , company.country_key asc nulls last, company.id asc --/ sort_by=country
                            , company.created_at asc, company.id asc --/ sort_by=created_at
                            , company.updated_at asc, company.id asc --/ sort_by=updated_at
                        limit 100 --? near
                    ) as near
                    limit cast(:limit as bigint) offset cast(:offset as bigint)
                )
            ) with ordinality as picked (id, place)
        join company_records as record on record.id = picked.id
    ) as data
    --? }
from counted;

--:name company_get :one
--:doc One company; primary key.
select company.*
from company_records as company
where company.id = cast(:id as bigint);

--:name company_insert :scalar
--:doc A new company; answers its id.
--:fields company: name, legal_name, registration_number, vat_id, email, phone, website, street, city, region, postal_code,
--:fields company: country
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
--:doc Delete a company that nothing refers to; primary key.
delete from companies
where id = cast(:id as bigint);
