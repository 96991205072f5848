--:name lead_import_lock :scalar
--:doc Lock the organization's import; false during another one.
select lead_import_lock() as locked;

--:name lead_import_seats :many
--:doc The organization's seats with their addresses and names; primary key of organization_users.
select account.email, account.name, seat.user_id, seat.seat_active
from organization_users as seat
join users as account on account.id = seat.user_id;

--:name lead_import_begin_results :affected
--:doc Create a table for the result of each row.
create temporary table lead_import_results (
    row integer primary key,
    result text not null,
    lead_id bigint,
    reason text
) on commit drop;

--:name lead_import_analyze :affected
--:doc Analyze the columns that find duplicates: autovacuum skips temporary tables.
analyze pg_temp.lead_import_rows (row, id, email, first_name, last_name, external_id);

--:name lead_import_analyze_matches :affected
--:doc Analyze the columns that tell which leads a file changes.
-- Unknown, they are planned for one row, and an organization without statistics for few leads: each row reads all.
analyze pg_temp.lead_import_rows (row, lead_id, leader, result);

--:name lead_import_loops :scalar
--:doc Allow or forbid joins by nested loops to this transaction.
-- Known leads without statistics are planned for few rows, and a loop would compare each with each row.
select set_config('enable_nestloop', cast(cast(:allowed as boolean) as text), true) as loops;

--:name lead_import_match_ids :affected
--:doc Find rows' leads by id; the row must have the lead's creation time, name, address, phone or external id.
-- The leads of a file are looked up at once, here and below: an organization without statistics is planned for few leads,
-- so a look-up for each row could read all of them each time.
with known as materialized (
    select lead.id, lead.created_at, lead.name_key, lead.email_key, lead.external_id, lead.phone
    from leads as lead
    where lead.id = any(array((select given.id from pg_temp.lead_import_rows as given where given.id is not null)))
)

update pg_temp.lead_import_rows as given
set lead_id = known.id, matched = 'id'
from known
where
    known.id = given.id
    and (
        date_trunc('seconds', known.created_at) = date_trunc('seconds', given.created_at)
        or known.name_key
        = sort_key(trim(coalesce(given.first_name || ' ' || coalesce(given.last_name, ''), given.called)))
        or known.email_key = email_key(given.email)
        or known.external_id = given.external_id
        or nullif(phone_key(known.phone, (select phone_region())), '')
        = nullif(phone_key(given.phone, (select phone_region())), '')
    );

--:name lead_import_match_external_ids :affected
--:doc Find the leads of further rows by external id; leads_external_id.
with known as materialized (
    select lead.id, lead.external_id
    from leads as lead
    where
        lead.external_id = any(array((
            select given.external_id
            from pg_temp.lead_import_rows as given
            where given.lead_id is null and given.external_id is not null
        )))
)

update pg_temp.lead_import_rows as given
set lead_id = known.id, matched = 'external_id'
from known
where known.external_id = given.external_id and given.lead_id is null;

--:name lead_import_match_emails :affected
--:doc Find the leads of further rows by address, of several the one with the same name; leads_email.
-- A row with an external id matches leads without one, and only the first such row.
with sought as materialized (
    select
        given.row,
        given.external_id,
        email_key(given.email) as email_key,
        real_name(concat_ws(' ', given.first_name, given.last_name), given.email) as name,
        sort_key(trim(coalesce(given.first_name || ' ' || coalesce(given.last_name, ''), given.called))) as name_key
    from pg_temp.lead_import_rows as given
    where given.lead_id is null and given.email is not null
),

known as materialized (
    select
        lead.id,
        lead.email_key,
        lead.name_key,
        lead.external_id,
        real_name(lead.name, lead.email) as name,
        is_role_address(lead.email_key) as is_role,
        count(*) over (partition by lead.email_key) as leads
    from leads as lead
    where lead.email_key = any(array((select distinct sought.email_key from sought)))
),

candidate as materialized (
    select known.*, known.is_role and known.leads <= 20 as is_compared
    from known
),

-- Names are folded once for each row and each lead, because rows times leads are compared.
folded_lead as materialized (
    select candidate.*, name_words(candidate.name) as words, name_letters(candidate.name) as letters
    from candidate
    where candidate.is_compared
),

folded_row as materialized (
    select sought.*, name_words(sought.name) as words, name_letters(sought.name) as letters
    from sought
    where sought.email_key = any(array((select distinct lead.email_key from folded_lead as lead)))
),

-- Rows times leads would be compared, so the leads of an address, and of its names, are counted first.
counted as materialized (
    select
        candidate.email_key,
        candidate.name_key,
        row_kind.is_identified,
        bool_or(candidate.is_role) as is_role,
        min(candidate.id) as id,
        count(*) as leads
    from candidate
    cross join (values (true), (false)) as row_kind (is_identified)
    where not candidate.is_compared and (candidate.external_id is null or not row_kind.is_identified)
    group by grouping sets ((1, 2, 3), (1, 3))
),

-- Of many leads at the address of a role an equal name counts alone.
found as (
    select
        sought.row,
        sought.external_id,
        coalesce(named.id, every.id) as id,
        coalesce(named.leads, every.leads) = 1 as certain
    from sought
    join counted as every
        on
            every.email_key = sought.email_key
            and every.name_key is null
            and every.is_identified = (sought.external_id is not null)
    left join counted as named
        on
            named.email_key = sought.email_key
            and named.name_key = sought.name_key
            and named.is_identified = every.is_identified
    where not every.is_role or named.id is not null
    union all
    select
        given.row,
        given.external_id,
        coalesce(min(lead.id) filter (where lead.name_key = given.name_key), min(lead.id)) as id,
        count(*) = 1 or count(*) filter (where lead.name_key = given.name_key) = 1 as certain
    from folded_row as given
    join folded_lead as lead on lead.email_key = given.email_key
    where
        (given.external_id is null or lead.external_id is null)
        and name_forms_agree(lead.words, lead.letters, given.words, given.letters)
    group by given.row, given.external_id
),

placed as (
    select
        found.*,
        row_number() over (partition by found.id, found.external_id is null order by found.row) as place
    from found
)

update pg_temp.lead_import_rows as given
set lead_id = placed.id, certain = placed.certain, matched = 'email'
from placed
where placed.row = given.row and (placed.external_id is null or placed.place = 1);

--:name lead_import_match_names :affected
--:doc Find the leads of further rows by name with phone or company, or by a name that is all; leads_name.
-- A row with an address or an external id matches leads without one, and only the first such row.
-- The names are computed first: under row-level security an expression with coalesce does not use an index.
with sought as materialized (
    select
        given.*,
        sort_key(trim(coalesce(given.first_name || ' ' || coalesce(given.last_name, ''), given.called))) as name_key
    from pg_temp.lead_import_rows as given
    where
        given.lead_id is null
        and (given.email is null or exists (select from leads as lead where lead.email_key is null))
),

candidate as materialized (
    select lead.id, lead.name_key, lead.email, lead.phone, lead.company, lead.external_id, lead.firm_key
    from leads as lead
    where
        lead.name_key = any(array((select distinct sought.name_key from sought)))
        and (
            lead.email_key is null
            or lead.name_key = any(array((select distinct bare.name_key from sought as bare where bare.email is null)))
        )
),

-- Rows times leads would be compared, so the leads of a name with a phone number or company are counted first.
counted as materialized (
    select
        candidate.name_key,
        likeness.key,
        row_kind.has_email,
        row_kind.is_identified,
        min(candidate.id) as id,
        count(*) as leads
    from candidate
    cross join
        lateral (
            values
            ('phone ' || nullif(phone_key(candidate.phone, (select phone_region())), '')),
            ('company ' || candidate.firm_key),
            (case when num_nulls(candidate.email, candidate.phone, candidate.company) = 3 then 'name' end)
        ) as likeness (key)
    cross join
        (values (true, true), (true, false), (false, true), (false, false)) as row_kind (has_email, is_identified)
    where
        likeness.key is not null
        and (candidate.email is null or not row_kind.has_email)
        and (candidate.external_id is null or not row_kind.is_identified)
    group by 1, 2, 3, 4
),

-- The rows of known names, once for each likeness: a join by all of it alone is linear.
asked as materialized (
    select
        sought.row,
        sought.name_key,
        likeness.key,
        sought.email is not null as has_email,
        sought.external_id is not null as is_identified
    from sought
    cross join
        lateral (
            values
            ('phone ' || nullif(phone_key(sought.phone, (select phone_region())), '')),
            ('company ' || left(company_key(sought.company), 200)),
            (case when num_nulls(sought.email, sought.phone, sought.company, sought.external_id) = 4 then 'name' end)
        ) as likeness (key)
    where
        likeness.key is not null
        and sought.name_key = any(array((select distinct candidate.name_key from candidate)))
),

found as (
    select
        asked.row,
        not(asked.has_email or asked.is_identified) as is_bare,
        min(counted.id) as id,
        max(counted.leads) = 1 and min(counted.id) = max(counted.id) as certain
    from asked
    join counted
        on
            counted.name_key = asked.name_key
            and counted.key = asked.key
            and counted.has_email = asked.has_email
            and counted.is_identified = asked.is_identified
    group by asked.row, asked.has_email, asked.is_identified
),

placed as (
    select
        found.*,
        row_number() over (partition by found.id, found.is_bare order by found.row) as place
    from found
)

update pg_temp.lead_import_rows as given
set lead_id = placed.id, certain = placed.certain, matched = 'name'
from placed
where placed.row = given.row and (placed.is_bare or placed.place = 1);

--:name lead_import_group :affected
--:doc Name the first row of those with the same lead, external id or address as the leader of the others.
with linked as (
    select
        given.row,
        given.external_id,
        email_key(given.email) as email_key,
        sort_key(trim(coalesce(given.first_name || ' ' || coalesce(given.last_name, ''), given.called))) as name,
        case
            when count(*) over (partition by email_key(given.email)) > 1
                then coalesce(is_role_address(given.email), false)
            else false
        end as is_role,
        coalesce(
            given.lead_id,
            case when given.external_id is not null then max(given.lead_id) over (partition by given.external_id) end
        ) as lead_id
    from pg_temp.lead_import_rows as given
    where num_nulls(given.lead_id, given.external_id, given.email) < 3
),

-- A row with nothing but an address goes with the rows of its address; of a role's address also the name counts.
keyed as (
    select
        linked.row,
        coalesce(
            named.key,
            case when linked.is_role then linked.email_key || ' ' || linked.name end,
            case when linked.email_key is not null then min(named.key) over (partition by linked.email_key) end,
            linked.email_key
        ) as key,
        coalesce(
            linked.lead_id,
            case
                when linked.email_key is not null and named.key is null and not linked.is_role
                    then max(linked.lead_id) over (partition by linked.email_key)
            end
        ) as lead_id
    from linked
    -- No address has a space. Leads come before external ids.
    cross join
        lateral (select coalesce('a lead ' || linked.lead_id, 'external id ' || linked.external_id) as key) as named
),

grouped as (
    select
        keyed.row,
        min(keyed.row) over (partition by keyed.key) as leader,
        max(keyed.lead_id) over (partition by keyed.key) as lead_id
    from keyed
)

update pg_temp.lead_import_rows as given
set leader = nullif(grouped.leader, grouped.row), lead_id = grouped.lead_id
from grouped
where
    grouped.row = given.row
    and (grouped.leader <> grouped.row or grouped.lead_id is distinct from given.lead_id);

--:name lead_import_group_names :affected
--:doc Name a leader for each row without address, id and lead: a row with the same name and the same phone or company.
-- Rows with an address come first.
with sought as materialized (
    select distinct
        sort_key(trim(coalesce(given.first_name || ' ' || coalesce(given.last_name, ''), given.called))) as name
    from pg_temp.lead_import_rows as given
    where num_nulls(given.lead_id, given.external_id, given.email) = 3
),

relevant as materialized (
    select
        given.*,
        num_nulls(given.lead_id, given.external_id, given.email) = 3 as bare,
        sort_key(trim(coalesce(given.first_name || ' ' || coalesce(given.last_name, ''), given.called))) as name
    from pg_temp.lead_import_rows as given
    where
        sort_key(trim(coalesce(given.first_name || ' ' || coalesce(given.last_name, ''), given.called)))
        in (select sought.name from sought)
),

-- Folding is slow, and companies repeat.
folded as materialized (
    select every.company, company_key(every.company) as key
    from (select distinct relevant.company from relevant where relevant.company is not null) as every
),

named as (
    select
        relevant.row,
        relevant.bare,
        relevant.name,
        nullif(phone_key(relevant.phone, (select phone_region())), '') as phone,
        folded.key as company
    from relevant
    left join folded on folded.company = relevant.company
),

ahead as (
    select
        named.row,
        named.bare,
        case
            when named.phone is not null
                then first_value(named.row) over (partition by named.name, named.phone order by named.bare, named.row)
        end as by_phone,
        case
            when named.company is not null
                then first_value(named.row) over (
                    partition by named.name, named.company order by named.bare, named.row
                )
        end as by_company,
        case
            when named.bare and num_nulls(named.phone, named.company) = 2
                then min(named.row) over (
                    partition by named.name, named.bare and num_nulls(named.phone, named.company) = 2
                )
        end as by_name
    from named
),

following as (
    select
        ahead.row,
        case
            when ahead.by_phone <> ahead.row then ahead.by_phone
            when ahead.by_company <> ahead.row then ahead.by_company
            else ahead.by_name
        end as leader
    from ahead
    where ahead.bare
)

update pg_temp.lead_import_rows as given
set leader = following.leader, matched = 'name'
from following
where following.row = given.row and following.leader <> following.row;

--:name lead_import_follow :affected
--:doc Replace leaders by their own leaders, and take their leads; returns how many rows changed.
update pg_temp.lead_import_rows as given
set leader = coalesce(ahead.leader, given.leader), lead_id = ahead.lead_id
from pg_temp.lead_import_rows as ahead
where
    ahead.row = given.leader
    and (ahead.leader is not null or ahead.lead_id is distinct from given.lead_id);

--:name lead_import_role_words :scalar
--:doc The local parts of addresses that stand for a role.
select role_words() as words;

--:name lead_import_same_addresses :many
--:doc Rows of new leads with a role's address that another lead or an earlier row has; leads_email.
with role as materialized (
    select
        given.row,
        given.email,
        first_value(given.row) over (partition by email_key(given.email) order by given.row) as first,
        num_nulls(given.lead_id, given.leader, given.result) = 3 as is_new
    from pg_temp.lead_import_rows as given
    where given.row = any(cast(:rows as integer[])) and is_role_address(given.email)
)

select
    role.row,
    role.email as value
from role
where
    role.is_new
    and (
        role.first < role.row
        or cardinality(array((select lead.id from leads as lead where lead.email_key = email_key(role.email) limit 1)))
        > 0
    );

--:name lead_import_hold :affected
--:doc Lock the matched leads against concurrent changes, and forget those that were deleted meanwhile; primary key.
with held as materialized (
    select lead.id
    from leads as lead
    -- An array is looked up id by id, also when the leads have no statistics.
    where
        lead.id = any(cast(array(
            select given.lead_id
            from pg_temp.lead_import_rows as given
            where given.lead_id is not null
        ) as bigint[]))
    order by lead.id
    for no key update
)

update pg_temp.lead_import_rows as given
set lead_id = null, matched = null
where given.lead_id is not null and given.lead_id not in (select held.id from held);

--:name lead_import_restore :affected
--:doc Take the values of known leads for cells in which a spreadsheet has made numbers of them; primary key.
update pg_temp.lead_import_rows as given
set
    phone = case when is_number_of(given.phone, lead.phone) then lead.phone else given.phone end,
    company = case when is_number_of(given.company, lead.company) then lead.company else given.company end,
    job_title = case when is_number_of(given.job_title, lead.job_title) then lead.job_title else given.job_title end,
    -- LibreOffice drops the tabs of a cell.
    notes = case
        when is_number_of(given.notes, lead.notes) or given.notes = replace(lead.notes, e'\t', '') then lead.notes
        else given.notes
    end,
    tags = case when is_number_of(given.tags, lead.tags) then lead.tags else given.tags end,
    external_id = case
        when is_number_of(given.external_id, lead.external_id) then lead.external_id
        else given.external_id
    end,
    fields = given.fields || (
        select coalesce(jsonb_object_agg(own.key, lead.fields -> own.key), '{}')
        from jsonb_each_text(given.fields) as own
        where jsonb_typeof(lead.fields -> own.key) = 'string' and is_number_of(own.value, lead.fields ->> own.key)
    )
from leads as lead
where lead.id = given.lead_id;

--:name lead_import_call :many
--:doc Name new leads without a first name by their last name, email address or company.
update pg_temp.lead_import_rows as given
set first_name = given.called, last_name = null
where
    given.first_name is null
    and given.called is not null
    and num_nulls(given.lead_id, given.leader, given.result) = 3
returning given.row, given.called as value, given.last_name is null as derived;

--:name lead_import_nameless :many
--:doc Fail rows of new leads without any name.
update pg_temp.lead_import_rows as given
set result = 'failed', reason = :reason
where given.first_name is null and num_nulls(given.lead_id, given.leader, given.result) = 3
returning given.row;

--:name lead_import_taken :many
--:doc Fail rows with the external id of another lead, or of another person's row before; leads_external_id.
update pg_temp.lead_import_rows as given
set result = 'failed', reason = :reason
from
    (
        select
            numbered.row,
            numbered.leader,
            numbered.lead_id,
            row_number() over (partition by numbered.external_id order by numbered.row) as place,
            first_value(coalesce(numbered.leader, numbered.row)) over (
                partition by numbered.external_id order by numbered.row
            ) as first,
            (select lead.id from leads as lead where lead.external_id = numbered.external_id) as owner
        from pg_temp.lead_import_rows as numbered
        where numbered.external_id is not null
    ) as placed
where
    placed.row = given.row
    and (
        coalesce(placed.owner <> coalesce(placed.lead_id, 0), false)
        or placed.place > 1 and placed.first <> coalesce(placed.leader, placed.row)
    )
returning given.row, given.external_id;

--:name lead_import_refuse :many
--:doc Leave out the assignee where a row newly assigns a lead to an inactive seat.
update pg_temp.lead_import_rows as given
set assigned_to = null, kept = array_append(given.kept, 'assigned_to')
from
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
--:doc Skip rows of known leads and rows with a leader.
update pg_temp.lead_import_rows as given
set result = 'skipped'
where given.result is null and num_nulls(given.lead_id, given.leader) < 2;

--:name lead_import_fold :affected
--:doc Merge rows into their leader; of each column the last cell that is not blank wins.
with folded as (
    select
        coalesce(given.leader, given.row) as row,
        jsonb_build_object('certain', bool_or(given.certain), 'updated_at', min(given.updated_at))
        || coalesce(jsonb_object_agg(cell.key, cell.value order by given.row) filter (where cell.key is not null), '{}')
            as cells
    from pg_temp.lead_import_rows as given
    left join
        jsonb_each(jsonb_strip_nulls(to_jsonb(given))) as cell
        on cell.key = any(cast(:columns as text[]))
    where
        given.result is null
        and (
            given.leader is not null
            or given.row in (select followed.leader from pg_temp.lead_import_rows as followed)
        )
    group by 1
),

-- A row is written anew as a whole, because an update would name each column.
taken as (
    delete from pg_temp.lead_import_rows as given
    using folded
    where given.row = folded.row
    returning given, folded.cells
)

insert into pg_temp.lead_import_rows
select whole.*
from taken
cross join lateral jsonb_populate_record(taken.given, taken.cells) as whole;

--:name lead_import_fold_fields :affected
--:doc Merge the own fields of rows into their leader; of each the last cell that is not blank wins.
with folded as (
    select
        coalesce(given.leader, given.row) as row,
        jsonb_object_agg(own.key, own.value order by given.row) as fields
    from pg_temp.lead_import_rows as given
    cross join jsonb_each(given.fields) as own
    where given.result is null
    group by 1
)

update pg_temp.lead_import_rows as given
set fields = folded.fields
from folded
where given.row = folded.row and given.fields is distinct from folded.fields;

--:name lead_import_conclude :affected
--:doc Add the results of all rows but new leads; a row with a leader shares its result.
insert into pg_temp.lead_import_results (row, result, lead_id, reason)
select
    given.row,
    coalesce(
        given.result,
        ahead.result,
        case when num_nulls(given.lead_id, given.leader) = 2 then 'created' else 'updated' end
    ),
    coalesce(given.lead_id, made.lead_id),
    coalesce(
        given.reason,
        'Row ' || given.leader || ' is about the same person.',
        case
            when given.result = 'skipped'
                then
                    'Lead ' || given.lead_id || ' has the same '
                    || case given.matched
                        when 'id' then 'id'
                        when 'external_id' then 'external id'
                        when 'email' then 'email address'
                        else 'name, and the same phone or company'
                    end
                    || '.'
        end
    )
from pg_temp.lead_import_rows as given
left join pg_temp.lead_import_rows as ahead on ahead.row = given.leader
left join pg_temp.lead_import_results as made on made.row = given.leader
where num_nulls(given.lead_id, given.leader, given.result) < 3 or cast(:dry_run as boolean);

--:name lead_import_counts :many
--:doc The number of rows with each result.
select
    result.result,
    count(*) as count
from pg_temp.lead_import_results as result
group by result.result;

--:name lead_import_listed :one
--:doc At most 1,000 results in file order, of more than that those that were not imported.
select
    coalesce(
        json_agg(
            json_build_object(
                'row', listed.row, 'result', listed.result, 'lead_id', listed.lead_id, 'reason', listed.reason
            )
            order by listed.row
        ),
        '[]'
    ) as rows
from (
    select result.*
    from pg_temp.lead_import_results as result
    where
        true
        and result.result = any(cast(:result as text[])) --? result
    order by result.result in ('created', 'updated', 'unchanged'), result.row
    limit 1000
) as listed;

--:name lead_import_rows :many
--:doc All results in file order.
select
    result.row,
    result.result,
    result.lead_id,
    result.reason
from pg_temp.lead_import_results as result
where
    true
    and result.result = any(cast(:result as text[])) --? result
order by result.row;
