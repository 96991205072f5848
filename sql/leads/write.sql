--:name lead_insert :many
--:doc Insert leads from a JSON array; returns their ids, which rise in its order.
insert into leads (
    first_name, last_name, email, phone, company, job_title, source, notes, tags, assigned_to, external_id,
    fields,
    status,
    qualified_at,
    disqualified_at
)
select
    given.first_name, given.last_name, given.email, given.phone, given.company, given.job_title, given.source,
    given.notes, given.tags, given.assigned_to, given.external_id,
    coalesce(given.fields, '{}'),
    coalesce(given.status, 'new'),
    case when given.status = 'qualified' then now() end,
    case when given.status = 'disqualified' then now() end
from json_populate_recordset(cast(null as leads), cast(:rows as json)) with ordinality as given
order by given.ordinality
returning id;

--:name lead_update :affected
--:doc Replace the fields of leads from a JSON array with ids; primary key.
update leads as lead
set
    first_name = given.first_name,
    last_name = given.last_name,
    email = given.email,
    phone = given.phone,
    company = given.company,
    job_title = given.job_title,
    source = given.source,
    notes = given.notes,
    tags = given.tags,
    assigned_to = given.assigned_to,
    external_id = given.external_id,
    fields = coalesce(given.fields, '{}'),
    status = coalesce(given.status, lead.status),
    qualified_at = case
        when given.status = 'qualified' and lead.status <> 'qualified' then now()
        else lead.qualified_at
    end,
    disqualified_at = case
        when coalesce(given.status, lead.status) = 'disqualified' then coalesce(lead.disqualified_at, now())
    end,
    disqualify_reason = case
        when coalesce(given.status, lead.status) = 'disqualified' then lead.disqualify_reason
    end
from json_populate_recordset(cast(null as leads), cast(:rows as json)) as given
where lead.id = given.id;

--:name lead_import_begin :affected
--:doc Create a table for valid rows; `lead_id` is a known lead, `leader` an earlier row of the same person.
-- `kept` names columns with a cell that was left out, `called` is the name of a new lead without a first name. `result` and `reason` are set except for new leads.
create temporary table lead_import_rows (
    row integer primary key,
    id bigint,
    created_at timestamptz,
    updated_at timestamptz,
    kept text[],
    called text,
    first_name text,
    last_name text,
    email text,
    phone text,
    company text,
    job_title text,
    source text,
    status text,
    notes text,
    tags text,
    external_id text,
    assigned_to bigint,
    fields jsonb,
    lead_id bigint,
    certain boolean not null default true,
    matched text,
    leader integer,
    result text,
    reason text
) on commit drop;

--:name lead_import_copy :affected
--:doc Fill the table by COPY.
copy pg_temp.lead_import_rows (
    row,
    id,
    created_at,
    updated_at,
    kept,
    called,
    result,
    reason,
    first_name, last_name, email, phone, company, job_title, source, status, notes, tags, assigned_to,
    external_id,
    fields
) from stdin;

--:name lead_import_fill :affected
--:doc Fill blank cells of known leads with the lead's values, except in columns to clear; primary key.
update pg_temp.lead_import_rows as given
set
    first_name = coalesce(given.first_name, standing.first_name),
    last_name = coalesce(given.last_name, standing.last_name),
    email = coalesce(given.email, standing.email),
    phone = coalesce(given.phone, standing.phone),
    company = coalesce(given.company, standing.company),
    job_title = coalesce(given.job_title, standing.job_title),
    source = coalesce(given.source, standing.source),
    status = coalesce(given.status, standing.status),
    notes = coalesce(given.notes, standing.notes),
    tags = coalesce(given.tags, standing.tags),
    assigned_to = coalesce(given.assigned_to, standing.assigned_to),
    external_id = coalesce(given.external_id, standing.external_id),
    fields = standing.fields - array(
        select substr(name, length('fields.') + 1)
        from unnest(cast(:cleared as text[])) as name
        where name like 'fields.%' and name <> all(coalesce(given.kept, '{}'))
    ) || coalesce(given.fields, '{}')
from pg_temp.lead_import_rows as known
join leads as lead on lead.id = known.lead_id
-- The lead without the values of columns to clear.
cross join
    lateral jsonb_populate_record(
        lead,
        (
            select coalesce(jsonb_object_agg(cleared.name, cast(null as text)), '{}')
            from unnest(cast(:cleared as text[])) as cleared (name)
            where cleared.name <> all(coalesce(known.kept, '{}'))
        )
    ) as standing
where known.row = given.row and known.leader is null and known.result is null;

--:name lead_import_compare :affected
--:doc Set the result of rows that change nothing, have several leads, or whose lead was changed since; primary key.
with compared as (
    select
        given.row,
        given.certain,
        lead.updated_at > given.updated_at as late,
        lead.updated_at,
        array_remove(array[
            case when given.first_name is distinct from lead.first_name then 'first_name' end,
            case when given.last_name is distinct from lead.last_name then 'last_name' end,
            case when given.email is distinct from lead.email then 'email' end,
            case when given.phone is distinct from lead.phone then 'phone' end,
            case when given.company is distinct from lead.company then 'company' end,
            case when given.job_title is distinct from lead.job_title then 'job_title' end,
            case when given.source is distinct from lead.source then 'source' end,
            case when given.status is distinct from lead.status then 'status' end,
            case when given.notes is distinct from lead.notes then 'notes' end,
            case when given.tags is distinct from lead.tags then 'tags' end,
            case when given.assigned_to is distinct from lead.assigned_to then 'assigned_to' end,
            case when given.external_id is distinct from lead.external_id then 'external_id' end,
            case when given.fields is distinct from lead.fields then 'fields' end
        ], null) as differing
    from pg_temp.lead_import_rows as given
    join leads as lead on lead.id = given.lead_id
    where given.leader is null and given.result is null
)

update pg_temp.lead_import_rows as given
set
    result = case
        when not compared.certain then 'skipped'
        when cardinality(compared.differing) = 0 then 'unchanged'
        else 'conflict'
    end,
    reason = case
        when
            not compared.certain
            then
                'Several leads have this '
                || case given.matched when 'email' then 'email address' else 'name' end
                || '.'
        when cardinality(compared.differing) > 0
            then
                'The lead was changed at ' || iso(compared.updated_at) || ', after the file was exported. Differs in '
                || array_to_string(compared.differing, ', ') || '.'
    end
from compared
where
    compared.row = given.row
    and (
        not compared.certain
        or cardinality(compared.differing) = 0
        or (compared.late and :conflicts = 'skip')
    );

--:name lead_import_insert :affected
--:doc Insert the new leads in file order: their ids rise with the rows.
with made as (
    insert into leads (
        first_name, last_name, email, phone, company, job_title, notes, tags, assigned_to, external_id,
        fields,
        source,
        status,
        qualified_at,
        disqualified_at
    )
    select
        given.first_name, given.last_name, given.email, given.phone, given.company, given.job_title,
        given.notes, given.tags, given.assigned_to, given.external_id,
        cast(:defaults as jsonb) || coalesce(given.fields, '{}'),
        coalesce(given.source, 'import'),
        coalesce(given.status, 'new'),
        case when given.status = 'qualified' then now() end,
        case when given.status = 'disqualified' then now() end
    from pg_temp.lead_import_rows as given
    where num_nulls(given.lead_id, given.leader, given.result) = 3
    order by given.row
    returning id
)

insert into pg_temp.lead_import_results (row, result, lead_id)
select
    placed.row,
    'created',
    -- A join would be planned for few rows.
    (array((select made.id from made order by made.id)))[placed.place]
from (
    select
        given.row,
        row_number() over (order by given.row) as place
    from pg_temp.lead_import_rows as given
    where num_nulls(given.lead_id, given.leader, given.result) = 3
) as placed;

--:name lead_import_update :affected
--:doc Update known leads; a status sets its times as in lead_update; primary key.
update leads as lead
set
    first_name = given.first_name,
    last_name = given.last_name,
    email = given.email,
    phone = given.phone,
    company = given.company,
    job_title = given.job_title,
    source = given.source,
    status = given.status,
    notes = given.notes,
    tags = given.tags,
    assigned_to = given.assigned_to,
    external_id = given.external_id,
    fields = given.fields,
    qualified_at = case
        when given.status = 'qualified' and lead.status <> 'qualified' then now()
        else lead.qualified_at
    end,
    disqualified_at = case when given.status = 'disqualified' then coalesce(lead.disqualified_at, now()) end,
    disqualify_reason = case when given.status = 'disqualified' then lead.disqualify_reason end
from pg_temp.lead_import_rows as given
where lead.id = given.lead_id and given.leader is null and given.result is null;
