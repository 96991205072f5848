--:name lead_export :many
--:doc The leads that the list's filters leave, as cells of a CSV file; primary key, in its order.
select
    lead.id,
    iso(lead.created_at) as created_at,
    iso(lead.updated_at) as updated_at,
    csv_text(lead.first_name) as first_name, --* lead, !assigned_to
    csv_text(assignee.email) as assigned_to
from leads as lead
left join users as assignee on assignee.id = lead.assigned_to
where
    lead.organization_id is not null
    and lead.status = any(cast(:status as text[])) --? status
    and lead.source = cast(:source as text) --? source
    and lead.assigned_to = cast(:assigned_to as bigint) --? assigned_to
    and lead.assigned_to = cast(:user_id as bigint) --? scope=me
    and lead.assigned_to = any(cast((select team_of(cast(:user_id as bigint))) as bigint[])) --? scope=team
    and lead.created_at >= cast(:date_from as timestamptz) --? date_from
    and lead.created_at < cast(:date_to as timestamptz) --? date_to
    and lead.updated_at >= cast(:updated_since as timestamptz) --? updated_since
    and lead.id = any(cast((select search_ids('leads', cast(:search as text[]), cast(:tag as text[]))) as bigint[])) --? search|tag
order by lead.organization_id, lead.id;

--:name lead_import_seats :many
--:doc The organization's seats by email address; primary key of organization_users.
select account.email, seat.user_id, seat.seat_active
from organization_users as seat
join users as account on account.id = seat.user_id;

--:name lead_import_begin :affected
--:doc The table of this transaction that takes the valid rows of the file; `rows` counts those that were taken together.
create temporary table lead_import_rows (
    row integer primary key,
    rows integer not null default 1,
    first_name text, --* lead, !assigned_to
    assigned_to bigint
) on commit drop;

--:name lead_import_copy :affected
--:doc Take the rows in; executed as COPY.
copy pg_temp.lead_import_rows (
    row,
    first_name --* lead
) from stdin;

--:name lead_import_update_begin :affected
--:doc The table of this transaction that takes what the found leads become.
create temporary table lead_import_updates (
    lead_id bigint not null,
    rows integer not null,
    first_name text, --* lead, !assigned_to
    assigned_to bigint
) on commit drop;

--:name lead_import_analyze :affected
--:doc Statistics of what the rows are found by, so that finding their duplicates is planned well.
analyze pg_temp.lead_import_rows (row, email, first_name, last_name);

--:name lead_import_lock :scalar
--:doc Whether no other import into this organization is under way: then none begins before the end of this transaction.
select lead_import_lock() as locked;

--:name lead_import_hold :scalar
--:doc Lock the leads with the rows' addresses: an update is planned from what they say, and must not undo a change; leads_email.
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
--:doc The rows with the lead that each one duplicates (lead_id, null when new); leads_email, leads_name.
-- The view goes at the end of the transaction, with the table that it reads.
create temporary view lead_import_matched as
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
)

select given.*, coalesce(by_email.id, by_name.id) as lead_id, coalesce(by_email.certain, false) as certain
from pg_temp.lead_import_rows as given
left join by_email on by_email.email_key = email_key(given.email)
left join by_name
    on
        given.email is null
        and by_name.first_name = given.first_name
        and by_name.last_name = coalesce(given.last_name, '')
        and by_name.phone = coalesce(given.phone, '')
        and by_name.company = coalesce(given.company, '');

--:name lead_import_refuse :many
--:doc Take out the rows that would give a lead to an inactive seat; a lead that is left alone, or with who has it, is not given.
delete from pg_temp.lead_import_rows as given
using
    (
        select found.row, found.lead_id, found.certain, lead.assigned_to
        from pg_temp.lead_import_matched as found
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
        matched.lead_id is null
        or (
            :on_duplicate = 'update'
            and matched.certain
            and matched.assigned_to is distinct from given.assigned_to
        )
    )
returning given.row, account.email;

--:name lead_import_skip :affected
--:doc Take out the rows of leads that exist, and of each email address all but the first; rows without one are never each other's duplicates.
with repeated as (
    select email_key(given.email) as email_key, min(given.row) as row
    from pg_temp.lead_import_rows as given
    where given.email is not null
    group by 1
    having count(*) > 1
)

delete from pg_temp.lead_import_rows as given
where
    given.row in (
        select found.row
        from pg_temp.lead_import_matched as found
        where found.lead_id is not null
        union all
        select later.row
        from pg_temp.lead_import_rows as later
        join repeated on email_key(later.email) = repeated.email_key and later.row > repeated.row
    );

--:name lead_import_fold :affected
--:doc Take the rows of an email address together in its first: of each column the last cell that is not blank.
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

gone as (
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

--:name lead_import_plan_update :affected
--:doc Take out the rows of leads that exist, and plan what becomes of those that change; primary key.
with found as (
    delete from pg_temp.lead_import_rows as given
    using pg_temp.lead_import_matched as matched
    where matched.row = given.row and matched.lead_id is not null
    returning given.*, matched.lead_id, matched.certain
),

filled as (
    select
        found.lead_id,
        found.rows,
        coalesce(found.first_name, lead.first_name) as first_name, --* lead
        lead as existing
    from found
    join leads as lead on lead.id = found.lead_id
    -- Only an address that one lead alone has tells which one is meant; other leads stay as they are.
    where found.certain
)

insert into pg_temp.lead_import_updates
select
    filled.lead_id,
    filled.rows,
    filled.first_name --* lead
from filled
where
    row(
        filled.first_name --* lead
    ) is distinct from row(
        (filled.existing).first_name --* lead
    );

--:name lead_import_counts :one
--:doc What becomes of the rows, each counted once; rows of a lead that stays as it is are neither imported nor updated.
select
    (select count(*) from pg_temp.lead_import_rows) as imported,
    (select coalesce(sum(given.rows - 1), 0) from pg_temp.lead_import_rows as given)
    + (select coalesce(sum(plan.rows), 0) from pg_temp.lead_import_updates as plan) as updated;

--:name lead_import_plans :one
--:doc Plan what runs for each row (generated columns, foreign keys) once instead of for every row, a quarter of the time, or as before.
select
    current_setting('plan_cache_mode') as before,
    set_config('plan_cache_mode', cast(:mode as text), true) as plan_cache_mode;

--:name lead_import_insert :affected
--:doc The new leads, in the order of the file.
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
order by given.row;

--:name lead_import_update :affected
--:doc The changed leads; primary key. A status takes its moments along as in lead_update.
update leads as lead
set
    first_name = plan.first_name, --* lead
    qualified_at = case
        when plan.status = 'qualified' and lead.status <> 'qualified' then now()
        else lead.qualified_at
    end,
    disqualified_at = case when plan.status = 'disqualified' then coalesce(lead.disqualified_at, now()) end,
    disqualify_reason = case when plan.status = 'disqualified' then lead.disqualify_reason end
from pg_temp.lead_import_updates as plan
where lead.id = plan.lead_id;
