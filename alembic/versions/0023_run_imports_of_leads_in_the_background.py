"""Run imports of leads in the background.

A table for imports that wait, run or have ended. The worker may create and change leads, and may make temporary tables,
as an import does.

Release: the release before ignores the table.

Rollback: imports that wait stay until the newer release runs again.
"""

from pipeline.database import migrations

revision = "0023"
down_revision = "0022"

TABLE = r"""
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

-- The worker imports with the same statements as a request.
grant insert (organization_id, first_name, last_name, email, phone, company, job_title, source, status, notes, tags,
        assigned_to, qualified_at, disqualified_at, external_id),
    update (first_name, last_name, email, phone, company, job_title, source, status, notes, tags, assigned_to,
        disqualify_reason, qualified_at, disqualified_at, external_id)
    on app.leads to pipeline_jobs;
grant execute on function app.lead_import_lock to pipeline_jobs;

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
grant select (organization_id, report), update (report) on app.lead_imports to pipeline_lookup;
"""
ERASURE = r"""
create or replace function app.traces_erase(
    p_leads bigint[], p_invites bigint[], p_emails bigint[], p_requests bigint[], p_paths text[], p_words text[],
    p_sought text[]
) returns void
    language plpgsql volatile security definer set search_path = app, pg_temp as $$
declare
    v_organization bigint := nullif(current_setting('app.organization_id', true), '')::bigint;
    v_events bigint[] := array(
        select o.id from outbox o where o.organization_id = v_organization
            and (o.payload ->> 'lead_id' = any(p_leads::text[]) or o.payload ->> 'invite_id' = any(p_invites::text[])
                 or o.payload ->> 'email_id' = any(p_emails::text[]))
        order by o.id);
begin
    -- Before any other lock, because this waits for running events.
    perform pg_advisory_xact_lock(app.outbox_lock(event)) from unnest(v_events) event;
    delete from outbox o where o.organization_id = v_organization and o.id = any(v_events);
    -- The emails of these notifications; their subjects have the contract's name.
    delete from emails e using notifications n
    where n.organization_id = v_organization and n.data ->> 'request_id' = any(p_requests::text[])
        and e.organization_id = v_organization and e.effect_key = n.effect_key || ':' || n.user_id;
    delete from notifications n where n.organization_id = v_organization
        and (n.data ->> 'lead_id' = any(p_leads::text[]) or n.data ->> 'invite_id' = any(p_invites::text[])
             or n.data ->> 'request_id' = any(p_requests::text[]));
    -- Not deleted: a repeated request must not create the record again.
    update idempotency_keys k set request_hash = '', status = 404, headers = '{}', body = ''
    where k.organization_id = v_organization
        and (k.scope in (select 'invite:' || invite from unnest(p_invites) invite)
             or substring(k.headers ->> 'Location' from '/api(/[a-z-]+/[0-9]+)') = any(p_paths)
             or exists (select from unnest(p_words) word where position(convert_to(word, 'UTF8') in k.body) > 0));
    delete from capture_drafts d where d.organization_id = v_organization
        and exists (select from unnest(p_words) word where position(lower(word) in lower(d.answers::text)) > 0);
    -- The cells that an import left out.
    update lead_imports i set report = i.report || '{"warnings": [], "errors": []}'
    where i.organization_id = v_organization
        and exists (select from unnest(p_words || p_sought) word
                    where position(lower(word) in lower(i.report::text)) > 0);
    -- Includes earlier deleted records of the person.
    update changes c set changed = app.values_erased(c.changed)
    where c.organization_id = v_organization and cardinality(p_words) > 0
        and exists (select from unnest(p_words) word where position(lower(word) in lower(c.changed::text)) > 0);
    update webhook_deliveries d
    set body = app.message_erased(d.body, d.record_id, d.status), answer = null, error = null, started_at = null
    where d.organization_id = v_organization and cardinality(p_words) > 0
        and exists (select from unnest(p_words) word
                    where position(lower(word) in lower(concat_ws(' ', d.body, d.answer, d.error))) > 0);
    -- Search words of an export may contain the name.
    update changes c set details = jsonb_set(c.details, '{filter,search}', 'null')
    where c.organization_id = v_organization and c.action = 'exported'
        and exists (select from unnest(p_sought) word,
                        regexp_split_to_table(lower(c.details #>> '{filter,search}'), '\s+') part
                    where part = lower(word) or length(part) > 2 and position(part in lower(word)) > 0);
end
$$;
comment on function app.traces_erase is
    'Deletes the events of these leads, invites and emails, and the notifications of leads, invites and signature '
    'requests. Blanks stored responses about these paths (/leads/7) or with one of the words, and deletes drafts of '
    'public forms with one. Also blanks these words in recorded changes and webhook messages, cells with one or one of '
    'p_sought in reports of imports, and exports'' searches for one of p_sought or a part of it.';
"""


def upgrade():
    """Apply the revision."""
    migrations.installer("""
do $$
begin
    execute format('grant temporary on database %I to pipeline_jobs', current_database());
end
$$;
""")
    migrations.owned(TABLE)
    migrations.lookups(ERASURE)
