--:name lead_import_lock :scalar
--:doc Lock the organization's import; false during another one.
select lead_import_lock() as locked;

--:name lead_import_seats :many
--:doc The organization's seats by email address; primary key of organization_users.
select account.email, seat.user_id, seat.seat_active
from organization_users as seat
join users as account on account.id = seat.user_id;

--:name lead_import_begin :affected
--:doc Create a table for valid rows; `rows` counts merged rows, `lead_id` an existing lead, `key` marks duplicates.
create temporary table lead_import_rows (
    row integer primary key,
    rows integer not null default 1,
    lead_id bigint,
    certain boolean not null default false,
    key text,
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
analyze pg_temp.lead_import_rows (row, email, first_name, last_name, external_id);

--:name lead_import_hold :scalar
--:doc Lock the leads with the rows' addresses or external ids against concurrent changes; leads_email, leads_external_id.
-- Looked up one by one: after a large import the table has no statistics yet, so joins would be planned for few leads.
select count(*)
from (
    select lead.id
    from leads as lead
    where
        lead.id in (
            select unnest(array(select known.id from leads as known where known.email_key = address.email_key))
            from (
                select distinct email_key(given.email) as email_key
                from pg_temp.lead_import_rows as given
                where given.email is not null
            ) as address
            union
            select (select known.id from leads as known where known.external_id = given.external_id)
            from pg_temp.lead_import_rows as given
            where given.external_id is not null
        )
    order by lead.id
    for no key update
) as held;

--:name lead_import_match :affected
--:doc Find each row's lead by external id, else address, else name, phone and company; leads_external_id, leads_email, leads_name.
-- A row with an external id matches only an address's leads without one. Looked up as in lead_import_hold.
with by_external_id as (
    select given.row, (select lead.id from leads as lead where lead.external_id = given.external_id) as id
    from pg_temp.lead_import_rows as given
    where given.external_id is not null
),

by_email as materialized (
    select address.email_key, known.*
    from (
        select distinct email_key(given.email) as email_key
        from pg_temp.lead_import_rows as given
        where given.email is not null
    ) as address
    cross join
        lateral (
            select
                min(lead.id) as id,
                count(*) = 1 as certain,
                min(lead.id) filter (where lead.external_id is null) as free_id,
                count(*) filter (where lead.external_id is null) = 1 as free_certain
            from leads as lead
            where lead.email_key = address.email_key
        ) as known
    where known.id is not null
),

by_name as materialized (
    select named.first_name, named.last_name, named.phone, named.company, known.id
    from (
        select distinct
            given.first_name,
            coalesce(given.last_name, '') as last_name,
            coalesce(given.phone, '') as phone,
            coalesce(given.company, '') as company
        from pg_temp.lead_import_rows as given
        where given.email is null and given.external_id is null
    ) as named
    cross join
        lateral (
            select min(lead.id) as id
            from leads as lead
            where
                lead.name_key = sort_key(trim(named.first_name || ' ' || named.last_name))
                and lead.email_key is null
                and lead.first_name = named.first_name
                and coalesce(lead.last_name, '') = named.last_name
                and coalesce(lead.phone, '') = named.phone
                and coalesce(lead.company, '') = named.company
        ) as known
    where known.id is not null
),

-- The first row with an external id gets the address's lead.
adopted as (
    select distinct on (by_email.email_key) given.row, by_email.free_id as id, by_email.free_certain as certain
    from pg_temp.lead_import_rows as given
    join by_email on by_email.email_key = email_key(given.email)
    where
        given.external_id is not null
        and by_email.free_id is not null
        and given.row not in (select by_external_id.row from by_external_id where by_external_id.id is not null)
    order by by_email.email_key, given.row
),

found as (
    select by_external_id.row, by_external_id.id, true as certain
    from by_external_id
    where by_external_id.id is not null
    union all
    select given.row, by_email.id, by_email.certain
    from pg_temp.lead_import_rows as given
    join by_email on by_email.email_key = email_key(given.email)
    where given.external_id is null
    union all
    select adopted.row, adopted.id, adopted.certain
    from adopted
    union all
    select given.row, by_name.id, false
    from pg_temp.lead_import_rows as given
    join by_name
        on
            by_name.first_name = given.first_name
            and by_name.last_name = coalesce(given.last_name, '')
            and by_name.phone = coalesce(given.phone, '')
            and by_name.company = coalesce(given.company, '')
    where given.email is null and given.external_id is null
)

update pg_temp.lead_import_rows as given
set lead_id = found.id, certain = found.certain
from found
where found.row = given.row;

--:name lead_import_key :affected
--:doc Give rows of one lead, external id or address the same key and lead.
with linked as (
    select
        given.row,
        given.external_id,
        email_key(given.email) as email_key,
        coalesce(
            given.lead_id,
            case when given.external_id is not null then max(given.lead_id) over (partition by given.external_id) end
        ) as lead_id
    from pg_temp.lead_import_rows as given
),

-- A row without an external id goes with the rows of its address.
keyed as (
    select
        linked.*,
        named.key,
        max(linked.lead_id) over (partition by linked.email_key) as other_lead_id,
        min(named.key) over (partition by linked.email_key) as other_key
    from linked
    -- No address has a space.
    cross join
        lateral (select coalesce('lead ' || linked.lead_id, 'external id ' || linked.external_id) as key) as named
)

update pg_temp.lead_import_rows as given
set
    key = coalesce(keyed.key, 'lead ' || keyed.other_lead_id, keyed.other_key),
    lead_id = case when keyed.key is null then keyed.other_lead_id else keyed.lead_id end
from keyed
where keyed.row = given.row and (keyed.key is not null or keyed.email_key is not null);

--:name lead_import_taken :many
--:doc Remove rows with the external id of a lead or an earlier row; leads_external_id.
delete from pg_temp.lead_import_rows as given
using
    (
        select
            numbered.row,
            row_number() over (partition by numbered.external_id order by numbered.row) as place
        from pg_temp.lead_import_rows as numbered
        where numbered.external_id is not null
    ) as placed
where
    placed.row = given.row
    and (placed.place > 1 or exists (select from leads as lead where lead.external_id = given.external_id))
returning given.row, given.external_id;

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
--:doc Remove rows of existing leads or with an earlier row's key or address.
delete from pg_temp.lead_import_rows as given
using
    (
        select
            numbered.row,
            row_number() over (
                partition by coalesce(numbered.key, email_key(numbered.email)) order by numbered.row
            ) as place
        from pg_temp.lead_import_rows as numbered
    ) as placed
where
    placed.row = given.row
    and (given.lead_id is not null or (coalesce(given.key, given.email) is not null and placed.place > 1));

--:name lead_import_fold :affected
--:doc Merge rows by key or address; the last non-blank cell wins.
with repeated as (
    select coalesce(given.key, email_key(given.email)) as key
    from pg_temp.lead_import_rows as given
    where coalesce(given.key, given.email) is not null
    group by 1
    having count(*) > 1
),

folded as (
    select
        min(given.row) as row,
        count(*) as rows,
        bool_or(given.certain) as certain,
        repeated.key,
        (array_agg(given.first_name order by given.row desc) filter (where given.first_name is not null))[1] as first_name --* lead
    from pg_temp.lead_import_rows as given
    join repeated on coalesce(given.key, email_key(given.email)) = repeated.key
    group by repeated.key
),

merged as (
    delete from pg_temp.lead_import_rows as given
    using folded
    where coalesce(given.key, email_key(given.email)) = folded.key and given.row > folded.row
)

update pg_temp.lead_import_rows as given
set
    rows = folded.rows,
    certain = folded.certain,
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
