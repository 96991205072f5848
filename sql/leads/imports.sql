--:name lead_import_accept :scalar
--:doc Insert an import for the worker; returns its id.
insert into lead_imports (state, options, file_id, total)
values ('waiting', cast(:options as jsonb), cast(:file_id as bigint), cast(:total as integer))
returning id;

--:name lead_import_keep :scalar
--:doc Insert an import that has ended, for its results; returns its id.
insert into lead_imports (state, done, total, rows_file_id, expires_at)
values (
    'done',
    cast(:total as integer),
    cast(:total as integer),
    cast(:rows_file_id as bigint),
    now() + interval '1 day'
)
returning id;

--:name lead_imports_open :scalar
--:doc The number of imports that wait or run; lead_imports_expiry.
select count(*) from lead_imports as import
where import.expires_at is null;

--:name lead_import_get :one
--:doc One import; primary key.
select import.*
from lead_import_records as import
where import.id = cast(:id as bigint);

--:name lead_import_rows_file :scalar
--:doc The file with the results of all rows; primary key.
select import.rows_file_id
from lead_imports as import
where import.id = cast(:id as bigint);

--:name lead_import_begin_task :one
--:doc The file and the options of an open import; sets the user or key that asked for it as the context; primary key.
select
    import.file_id,
    import.options,
    set_config('app.user_id', coalesce(cast(import.created_by as text), ''), true) as user_context,
    set_config('app.key_id', coalesce(cast(import.created_by_key as text), ''), true) as key_context
from lead_imports as import
where import.id = cast(:id as bigint) and import.expires_at is null;

--:name lead_import_progress :affected
--:doc Store how many rows of an import were read; primary key.
update lead_imports
set state = 'running', done = least(cast(:done as integer), total)
where id = cast(:id as bigint);

--:name lead_import_end :scalar
--:doc End an import with its report or its error; returns the id of its file; primary key.
with ended as (
    select import.id, import.file_id
    from lead_imports as import
    where import.id = cast(:id as bigint)
    for no key update
)

update lead_imports as import
set
    state = case when cast(:error as text) is null then 'done' else 'failed' end,
    done = case when cast(:error as text) is null then import.total else import.done end,
    report = cast(:report as jsonb),
    error = cast(:error as text),
    rows_file_id = cast(:rows_file_id as bigint),
    file_id = null,
    expires_at = now() + interval '1 day'
from ended
where import.id = ended.id
returning ended.file_id;
