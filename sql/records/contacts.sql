--:name contact_list :one
--:doc A page of contacts and how many there are; contacts_name, contacts_company, contacts_created.
select
    (
        select count(*)
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
    ) as total,
    cast(
        coalesce(
            (
                select json_agg(record)
                from (
                    select
                        contact.id,
                        contact.organization_id,
                        contact.first_name,
                        contact.last_name,
                        contact.name,
                        contact.email,
                        contact.phone,
                        contact.job_title,
                        contact.company_id,
                        company.name as company_name,
                        iso(contact.created_at) as created_at,
                        iso(contact.updated_at) as updated_at
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
                    order by
                        case when :sort_by = 'name' and :sort_dir = 'ASC' then contact.name_key end asc,
                        case when :sort_by = 'name' and :sort_dir = 'DESC' then contact.name_key end desc,
                        case when :sort_by = 'email' and :sort_dir = 'ASC' then contact.email_key end asc,
                        case when :sort_by = 'email' and :sort_dir = 'DESC' then contact.email_key end desc nulls last,
                        case when :sort_by = 'company_name' and :sort_dir = 'ASC' then company.sort_key end asc,
                        case when :sort_by = 'company_name' and :sort_dir = 'DESC' then company.sort_key end desc nulls last,
                        case when :sort_by = 'created_at' and :sort_dir = 'ASC' then contact.created_at end asc,
                        case when :sort_by = 'created_at' and :sort_dir = 'DESC' then contact.created_at end desc,
                        case when :sort_dir = 'ASC' then contact.id end asc,
                        case when :sort_dir = 'DESC' then contact.id end desc
                    limit cast(:limit as bigint) offset cast(:offset as bigint)
                ) as record
            ),
            '[]'
        ) as text
    ) as data;

--:name contact_get :one
--:doc One contact; primary keys.
select
    contact.id,
    contact.organization_id,
    contact.first_name,
    contact.last_name,
    contact.name,
    contact.email,
    contact.phone,
    contact.job_title,
    contact.company_id,
    company.name as company_name,
    iso(contact.created_at) as created_at,
    iso(contact.updated_at) as updated_at
from contacts as contact
left join companies as company
    on company.organization_id = contact.organization_id and company.id = contact.company_id
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
