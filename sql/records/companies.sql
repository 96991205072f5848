--:name company_list :one
--:doc A page of companies and how many there are; companies_sort, companies_created.
with filtered as not materialized (
    select company.*
    from companies as company
    where
        (
            cast(:words as text []) is null
            or not exists (
                select
                from unnest(array(select plain(given) from unnest(cast(:words as text [])) as given)) as word
                where strpos(concat_ws(' ', company.sort_key, plain(company.legal_name), company.website_domain), word) = 0
            )
        )
),

page as (
    select picked.id, picked.place
    from
        unnest(
            array(
                select company.id
                from filtered as company
                order by
                    case when :sort_by = 'name' and :sort_dir = 'ASC' then company.sort_key end asc,
                    case when :sort_by = 'name' and :sort_dir = 'DESC' then company.sort_key end desc,
                    case when :sort_by = 'city' and :sort_dir = 'ASC' then sort_key(company.city) collate "C" end asc,
                    case when :sort_by = 'city' and :sort_dir = 'DESC' then sort_key(company.city) collate "C" end desc nulls last,
                    case when :sort_by = 'country' and :sort_dir = 'ASC' then sort_key(company.country) collate "C" end asc,
                    case when :sort_by = 'country' and :sort_dir = 'DESC' then sort_key(company.country) collate "C" end desc nulls last,
                    case when :sort_by = 'created_at' and :sort_dir = 'ASC' then company.created_at end asc,
                    case when :sort_by = 'created_at' and :sort_dir = 'DESC' then company.created_at end desc,
                    case when :sort_dir = 'ASC' then company.id end asc,
                    case when :sort_dir = 'DESC' then company.id end desc
                limit cast(:limit as bigint) offset cast(:offset as bigint)
            )
        ) with ordinality as picked (id, place)
)

select
    (select count(*) from filtered) as total,
    cast(
        coalesce(
            (
                select json_agg(record order by page.place)
                from page
                join company_records as record on record.id = page.id
            ),
            '[]'
        ) as text
    ) as data;

--:name company_get :one
--:doc One company; primary key.
select company.*
from company_records as company
where company.id = cast(:id as bigint);

--:name company_insert :scalar
--:doc A new company; answers its id.
insert into companies (
    name, legal_name, registration_number, vat_id, email, phone, website, street, city, region, postal_code,
    country
)
values (
    :name,
    :legal_name,
    :registration_number,
    :vat_id,
    :email,
    :phone,
    :website,
    :street,
    :city,
    :region,
    :postal_code,
    :country
)
returning id;

--:name company_update :affected
--:doc Replace a company's fields; primary key.
update companies
set
    name = :name,
    legal_name = :legal_name,
    registration_number = :registration_number,
    vat_id = :vat_id,
    email = :email,
    phone = :phone,
    website = :website,
    street = :street,
    city = :city,
    region = :region,
    postal_code = :postal_code,
    country = :country
where id = cast(:id as bigint);

--:name company_delete :affected
--:doc Delete a company that nothing refers to; primary key.
delete from companies
where id = cast(:id as bigint);
