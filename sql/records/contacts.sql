--:name contact_list :one
--:doc A page of contacts and how many there are; contacts_name, contacts_company, contacts_created.
with filtered as not materialized (
    select contact.*, company.sort_key as company_key
    from contacts as contact
    left join companies as company
        on company.organization_id = contact.organization_id and company.id = contact.company_id
    where
        (cast(:company_id as bigint) is null or contact.company_id = cast(:company_id as bigint))
        and (
            cast(:words as text []) is null
            or not exists (
                select
                from unnest(array(select plain(given) from unnest(cast(:words as text [])) as given)) as word
                where strpos(concat_ws(' ', contact.name_key, contact.email_key, company.sort_key), word) = 0
            )
        )
),

page as (
    select picked.id, picked.place
    from
        unnest(
            array(
                select contact.id
                from filtered as contact
                order by
                    case when :sort_by = 'name' and :sort_dir = 'ASC' then contact.name_key end asc,
                    case when :sort_by = 'name' and :sort_dir = 'DESC' then contact.name_key end desc,
                    case when :sort_by = 'email' and :sort_dir = 'ASC' then contact.email_key end asc,
                    case when :sort_by = 'email' and :sort_dir = 'DESC' then contact.email_key end desc nulls last,
                    case when :sort_by = 'company_name' and :sort_dir = 'ASC' then contact.company_key end asc,
                    case when :sort_by = 'company_name' and :sort_dir = 'DESC' then contact.company_key end desc nulls last,
                    case when :sort_by = 'created_at' and :sort_dir = 'ASC' then contact.created_at end asc,
                    case when :sort_by = 'created_at' and :sort_dir = 'DESC' then contact.created_at end desc,
                    case when :sort_dir = 'ASC' then contact.id end asc,
                    case when :sort_dir = 'DESC' then contact.id end desc
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
                join contact_records as record on record.id = page.id
            ),
            '[]'
        ) as text
    ) as data;

--:name contact_get :one
--:doc One contact; primary keys.
select contact.*
from contact_records as contact
where contact.id = cast(:id as bigint);

--:name contact_insert :scalar
--:doc A new contact; answers its id.
insert into contacts (
    first_name, last_name, email, phone, job_title, company_id
)
values (
    :first_name,
    :last_name,
    :email,
    :phone,
    :job_title,
    cast(:company_id as bigint)
)
returning id;

--:name contact_update :affected
--:doc Replace a contact's fields; primary key.
update contacts
set
    first_name = :first_name,
    last_name = :last_name,
    email = :email,
    phone = :phone,
    job_title = :job_title,
    company_id = cast(:company_id as bigint)
where id = cast(:id as bigint);

--:name contact_delete :affected
--:doc Delete a contact that nothing refers to; primary key.
delete from contacts
where id = cast(:id as bigint);
