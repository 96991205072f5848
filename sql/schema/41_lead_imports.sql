-- Imports of leads in the background, and the results of imports with more rows than one response lists. Kept for a day
-- after their end, with their files.

set local role pipeline_owner;

create table app.lead_imports (
    organization_id bigint not null references app.organizations (id),
    id bigint generated always as identity,
    state text not null check (state in ('waiting', 'running', 'done', 'failed')),
    options jsonb not null default '{}' check (jsonb_typeof(options) = 'object'),
    file_id bigint,
    done integer not null default 0,
    total integer not null check (total >= 0),
    report jsonb check (jsonb_typeof(report) = 'object'),
    error text,
    rows_file_id bigint,
    created_by bigint default nullif(current_setting('app.user_id', true), '')::bigint,
    created_by_key bigint default nullif(current_setting('app.key_id', true), '')::bigint,
    created_at timestamptz not null default now(),
    updated_at timestamptz not null default now(),
    expires_at timestamptz,
    primary key (organization_id, id),
    foreign key (organization_id, file_id) references app.files,
    foreign key (organization_id, rows_file_id) references app.files,
    check (done between 0 and total)
);
comment on table app.lead_imports is 'Imports of leads in the background, and results of long imports.';
comment on column app.lead_imports.state is 'waiting, running, done or failed.';
comment on column app.lead_imports.options is 'The parameters of the import.';
comment on column app.lead_imports.file_id is 'The file to import; removed with the end of the import.';
comment on column app.lead_imports.done is 'The number of rows that were read.';
comment on column app.lead_imports.total is 'The number of rows in the file.';
comment on column app.lead_imports.report is 'The report of an import in the background; null before its end.';
comment on column app.lead_imports.error is 'Why the import failed; then nothing was imported.';
comment on column app.lead_imports.rows_file_id is
    'The results of all rows as CSV, if the report lists only a part of them.';
comment on column app.lead_imports.expires_at is 'When it is deleted; null before its end.';

call app.isolate('app.lead_imports', 'pipeline_member', 'pipeline_jobs');
call app.touch_changed('app.lead_imports');

grant select, insert (organization_id, state, options, file_id, done, total, rows_file_id, expires_at)
    on app.lead_imports to pipeline_member;
grant select, update (state, file_id, done, report, error, rows_file_id, expires_at), delete
    on app.lead_imports to pipeline_jobs;

-- Open imports, and deletion by the worker.
create index lead_imports_expiry on app.lead_imports (organization_id, expires_at);
-- For deletions of files.
create index lead_imports_file on app.lead_imports (organization_id, file_id) where file_id is not null;
create index lead_imports_rows_file on app.lead_imports (organization_id, rows_file_id)
    where rows_file_id is not null;

grant execute on function app.lead_import_lock to pipeline_jobs;

create function app.is_number_of(cell text, value text) returns boolean
    language sql immutable parallel safe
    return coalesce(cell <> value
        and cell ~ '^(0|[1-9][0-9]{0,30})([.,][0-9]*[1-9])?$|^[1-9]([.,][0-9]{1,20})?[eE][+]?[0-9]{1,3}$'
        and value ~ '^[+]?[0-9]{1,30}([.,][0-9]{1,20})?([eE][+]?[0-9]{1,2})?$'
        and abs(cast(replace(cell, ',', '.') as numeric) - cast(replace(value, ',', '.') as numeric))
            <= case when cell ~* 'e' then
                power(10::numeric, cast(substring(cell from '[0-9]+$') as integer)
                    - coalesce(length(substring(cell from '[.,]([0-9]+)')), 0)) / 2
                else 0 end, false);
comment on function app.is_number_of is
    'Whether a cell is what a spreadsheet makes of another text: a number without its zeros and its plus, which it '
    'rounds to the digits that it shows (0170 is 170, 491701234567 is 4.9E+11).';
grant execute on function app.is_number_of to pipeline_member, pipeline_jobs;

create view app.lead_import_records with (security_invoker = true) as
select
    import.id, import.organization_id, import.state, import.done, import.total, import.report, import.error,
    import.created_by, app.created_by_kind(import.created_by, import.created_by_key) as created_by_kind,
    coalesce(
        (select person.name from app.users as person where person.id = import.created_by),
        (select key.name from app.api_keys as key where key.id = import.created_by_key)
    ) as created_by_name,
    app.iso(import.created_at) as created_at, app.iso(import.updated_at) as updated_at,
    app.iso(import.expires_at) as expires_at
from app.lead_imports as import;
comment on view app.lead_import_records is 'Imports in the background as the API returns them.';
call app.present('app.lead_import_records', 'pipeline_member', 'app.lead_imports');
