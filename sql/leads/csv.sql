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
    and lead.status = cast(:status as text) --? status
    and lead.status = any(cast(:statuses as text[])) --? statuses
    and lead.source = cast(:source as text) --? source
    and lead.assigned_to = cast(:assigned_to as bigint) --? assigned_to
    and lead.assigned_to = any(cast(:assignees as bigint[])) --? assignees
    and lead.created_at >= cast(:created_from as timestamptz) --? created_from
    and lead.created_at < cast(:created_before as timestamptz) --? created_before
    --? updated_since {
    and lead.id in (
        select change.lead_id
        from lead_changes as change
        where change.changed_at >= cast(:updated_since as timestamptz)
    )
    --? }
    --? alternatives {
    and (
        lead.search_text like all(cast(:patterns as text[]))
        or lead.search_text like all(cast(:alternatives as text[]))
    )
    --? }
    and lead.search_text like all(cast(:patterns as text[])) --? patterns, !alternatives
    and lead.tag_text like cast(:tag as text) --? tag
order by lead.organization_id, lead.id;

--:name lead_import_seats :many
--:doc The organization's seats by email address; primary key of organization_users.
select account.email, seat.user_id, seat.seat_active
from organization_users as seat
join users as account on account.id = seat.user_id;

--:name lead_import_begin :affected
--:doc The table of this transaction that takes the valid rows of the file.
create temporary table lead_import_rows (
    row integer not null,
    first_name text, --* lead, !assigned_to
    assigned_to bigint
) on commit drop;

--:name lead_import_copy :affected
--:doc Take the rows in; executed as COPY.
copy pg_temp.lead_import_rows (
    row,
    first_name --* lead
) from stdin;

--:name lead_import_plan_begin :affected
--:doc The table of this transaction that says what becomes of the rows; analyzed, so that the joins are planned well.
create temporary table lead_import (
    first_row integer not null,
    rows integer not null,
    lead_id bigint,
    changed boolean not null,
    first_name text, --* lead, !assigned_to
    assigned_to bigint
) on commit drop;

--:name lead_import_analyze :affected
--:doc Statistics of the rows taken in, so that finding their duplicates is planned well.
analyze pg_temp.lead_import_rows;

--:name lead_import_lock :scalar
--:doc Whether no other import into this organization is under way: then none begins before the end of this transaction.
select pg_try_advisory_xact_lock(
    hashtextextended('lead_import', cast(nullif(current_setting('app.organization_id', true), '') as bigint))
) as locked;

--:name lead_import_hold :scalar
--:doc Lock the leads with the rows' addresses: an update is planned from what they say, and must not undo a change; leads_email.
select count(*)
from (
    select lead.id
    from leads as lead
    where
        lead.email_key in (
            select lower(given.email) from pg_temp.lead_import_rows as given where given.email is not null
        )
    order by lead.id
    for no key update
) as held;

--:name lead_import_plan_create :affected
--:doc Every row becomes a lead.
insert into pg_temp.lead_import
select
    given.row,
    1,
    null,
    false,
    given.first_name --* lead
from pg_temp.lead_import_rows as given;

--:name lead_import_match :affected
--:doc The rows with the lead that each one duplicates (lead_id, null when new); leads_email, leads_name.
-- The view goes at the end of the transaction, with the table that it reads.
create temporary view lead_import_matched as
with by_email as (
    select lead.email_key, min(lead.id) as id, count(*) = 1 as certain
    from leads as lead
    where
        lead.email_key in (
            select lower(given.email) from pg_temp.lead_import_rows as given where given.email is not null
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
left join by_email on by_email.email_key = lower(given.email)
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

--:name lead_import_plan_skip :affected
--:doc The first row of each email address; rows without one are never each other's duplicates.
insert into pg_temp.lead_import
select distinct on (keyed.key)
    keyed.row,
    count(*) over (partition by keyed.key),
    keyed.lead_id,
    false,
    keyed.first_name --* lead
from (
    select matched.*, coalesce(lower(matched.email), cast(matched.row as text)) as key
    from pg_temp.lead_import_matched as matched
) as keyed
order by keyed.key, keyed.row;

--:name lead_import_plan_update :affected
--:doc For each lead, new or found, its rows in one: of each column the last cell that is not blank; primary key.
with merged as (
    select
        min(matched.row) as first_row,
        count(*) as rows,
        matched.lead_id,
        bool_and(matched.certain) as certain,
        (array_agg(matched.first_name order by matched.row desc) filter (where matched.first_name is not null))[1] as first_name --* lead
    from pg_temp.lead_import_matched as matched
    group by
        matched.lead_id,
        case when matched.lead_id is null then coalesce(lower(matched.email), cast(matched.row as text)) end
),

filled as (
    select
        merged.first_row,
        merged.rows,
        merged.lead_id,
        merged.certain,
        coalesce(merged.first_name, lead.first_name) as first_name, --* lead
        lead as existing
    from merged
    left join leads as lead on lead.id = merged.lead_id
)

insert into pg_temp.lead_import
select
    filled.first_row,
    filled.rows,
    filled.lead_id,
    -- Only an address that one lead alone has tells which one is meant; other leads stay as they are.
    (
        filled.certain
        and row(
            filled.first_name --* lead
        ) is distinct from row(
            (filled.existing).first_name --* lead
        )
    ),
    filled.first_name --* lead
from filled;

--:name lead_import_counts :one
--:doc What becomes of the rows, each counted once; rows of a lead that stays as it is are neither imported nor updated.
select
    count(*) filter (where plan.lead_id is null) as imported,
    coalesce(sum(plan.rows) filter (where plan.changed), 0)
    + case
        when :on_duplicate = 'update' then coalesce(sum(plan.rows - 1) filter (where plan.lead_id is null), 0)
        else 0
    end as updated
from pg_temp.lead_import as plan;

--:name lead_import_plan_once :one
--:doc Plan what runs for each row (generated columns, foreign keys) once instead of for every row, a quarter of the time.
select set_config('plan_cache_mode', 'force_generic_plan', true) as plan_cache_mode;

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
    plan.first_name, --* lead, !source, !status
    coalesce(plan.source, 'import'),
    coalesce(plan.status, 'new'),
    case when plan.status = 'qualified' then now() end,
    case when plan.status = 'disqualified' then now() end
from pg_temp.lead_import as plan
where plan.lead_id is null
order by plan.first_row;

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
from pg_temp.lead_import as plan
where lead.id = plan.lead_id and plan.changed;
