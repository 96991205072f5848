--:name lead_import_lock :scalar
--:doc Lock the organization's import; false during another one.
select lead_import_lock() as locked;

--:name lead_import_seats :many
--:doc The organization's seats by email address; primary key of organization_users.
select account.email, seat.user_id, seat.seat_active
from organization_users as seat
join users as account on account.id = seat.user_id;

--:name lead_import_begin :affected
--:doc Create a table for valid rows; `rows` counts merged rows, `lead_id` an existing lead.
create temporary table lead_import_rows (
    row integer primary key,
    rows integer not null default 1,
    lead_id bigint,
    certain boolean not null default false,
    first_name text, --* lead, !assigned_to
    assigned_to bigint
) on commit drop;

--:name lead_import_copy :affected
--:doc Fill the table by COPY.
copy pg_temp.lead_import_rows (
    row,
    first_name --* lead
) from stdin;

--:name lead_import_analyze :affected
--:doc Analyze the columns that find duplicates: autovacuum skips temporary tables.
analyze pg_temp.lead_import_rows (row, email, first_name, last_name);

--:name lead_import_hold :scalar
--:doc Lock the leads with the rows' addresses against concurrent changes; leads_email.
select count(*)
from (
    select lead.id
    from leads as lead
    where
        lead.email_key in (
            select email_key(given.email) from pg_temp.lead_import_rows as given where given.email is not null
        )
    order by lead.id
    for no key update
) as held;

--:name lead_import_match :affected
--:doc Find each row's lead by address, else by name, phone and company; leads_email, leads_name.
with by_email as (
    select lead.email_key, min(lead.id) as id, count(*) = 1 as certain
    from leads as lead
    where
        lead.email_key in (
            select email_key(given.email) from pg_temp.lead_import_rows as given where given.email is not null
        )
    group by lead.email_key
),

by_name as (
    select
        lead.first_name,
        coalesce(lead.last_name, '') as last_name,
        coalesce(lead.phone, '') as phone,
        coalesce(lead.company, '') as company,
        min(lead.id) as id
    from leads as lead
    where
        lead.email_key is null
        and lead.name_key in (
            select sort_key(trim(given.first_name || ' ' || coalesce(given.last_name, '')))
            from pg_temp.lead_import_rows as given
            where given.email is null
        )
    group by 1, 2, 3, 4
),

found as (
    select given.row, by_email.id, by_email.certain
    from pg_temp.lead_import_rows as given
    join by_email on by_email.email_key = email_key(given.email)
    union all
    select given.row, by_name.id, false
    from pg_temp.lead_import_rows as given
    join by_name
        on
            by_name.first_name = given.first_name
            and by_name.last_name = coalesce(given.last_name, '')
            and by_name.phone = coalesce(given.phone, '')
            and by_name.company = coalesce(given.company, '')
    where given.email is null
)

update pg_temp.lead_import_rows as given
set lead_id = found.id, certain = found.certain
from found
where found.row = given.row;

--:name lead_import_refuse :many
--:doc Remove rows that newly assign a lead to an inactive seat.
delete from pg_temp.lead_import_rows as given
using
    (
        select found.row, lead.assigned_to
        from pg_temp.lead_import_rows as found
        left join leads as lead on lead.id = found.lead_id
    ) as matched,
    organization_users as seat,
    users as account
where
    matched.row = given.row
    and seat.user_id = given.assigned_to
    and account.id = seat.user_id
    and not seat.seat_active
    and (
        given.lead_id is null
        or (:on_duplicate = 'update' and given.certain and matched.assigned_to is distinct from given.assigned_to)
    )
returning given.row, account.email;

--:name lead_import_skip :affected
--:doc Remove rows of existing leads or with an earlier row's address.
delete from pg_temp.lead_import_rows as given
using
    (
        select
            numbered.row,
            row_number() over (partition by email_key(numbered.email) order by numbered.row) as place
        from pg_temp.lead_import_rows as numbered
    ) as placed
where
    placed.row = given.row
    and (given.lead_id is not null or (given.email is not null and placed.place > 1));

--:name lead_import_fold :affected
--:doc Merge rows by address; the last non-blank cell wins.
with repeated as (
    select email_key(given.email) as email_key
    from pg_temp.lead_import_rows as given
    where given.email is not null
    group by 1
    having count(*) > 1
),

folded as (
    select
        min(given.row) as row,
        count(*) as rows,
        repeated.email_key,
        (array_agg(given.first_name order by given.row desc) filter (where given.first_name is not null))[1] as first_name --* lead
    from pg_temp.lead_import_rows as given
    join repeated on email_key(given.email) = repeated.email_key
    group by repeated.email_key
),

merged as (
    delete from pg_temp.lead_import_rows as given
    using folded
    where email_key(given.email) = folded.email_key and given.row > folded.row
)

update pg_temp.lead_import_rows as given
set
    rows = folded.rows,
    first_name = folded.first_name --* lead
from folded
where given.row = folded.row;

--:name lead_import_fill :affected
--:doc Fill blank cells of existing leads with the lead's values; primary key.
update pg_temp.lead_import_rows as given
set
    first_name = coalesce(given.first_name, lead.first_name) --* lead
from leads as lead
where lead.id = given.lead_id;

--:name lead_import_keep :affected
--:doc Remove rows without changes or with a shared address; primary key.
delete from pg_temp.lead_import_rows as given
using leads as lead
where
    lead.id = given.lead_id
    and (
        not given.certain
        or row(
            given.first_name --* lead
        ) is not distinct from row(
            lead.first_name --* lead
        )
    );

--:name lead_import_counts :one
--:doc The numbers of rows for new and for changed leads.
select
    count(*) filter (where given.lead_id is null) as imported,
    coalesce(sum(given.rows - cast(given.lead_id is null as integer)), 0) as updated
from pg_temp.lead_import_rows as given;

--:name lead_import_insert :many
--:doc Insert the new leads in file order; returns their ids.
insert into leads (
    first_name, --* lead, !source, !status
    source,
    status,
    qualified_at,
    disqualified_at
)
select
    given.first_name, --* lead, !source, !status
    coalesce(given.source, 'import'),
    coalesce(given.status, 'new'),
    case when given.status = 'qualified' then now() end,
    case when given.status = 'disqualified' then now() end
from pg_temp.lead_import_rows as given
where given.lead_id is null
order by given.row
returning id;

--:name lead_import_update :many
--:doc Update existing leads and return their ids; a status sets its times as in lead_update; primary key.
update leads as lead
set
    first_name = given.first_name, --* lead
    qualified_at = case
        when given.status = 'qualified' and lead.status <> 'qualified' then now()
        else lead.qualified_at
    end,
    disqualified_at = case when given.status = 'disqualified' then coalesce(lead.disqualified_at, now()) end,
    disqualify_reason = case when given.status = 'disqualified' then lead.disqualify_reason end
from pg_temp.lead_import_rows as given
where lead.id = given.lead_id
returning lead.id;
