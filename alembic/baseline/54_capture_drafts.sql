-- Unfinished answers on public forms, and their files. Only the form with the draft's token sees them, for a day.

set local role pipeline_owner;

create table app.capture_drafts (
    organization_id bigint not null references app.organizations (id),
    token text not null check (length(token) = 64),
    template_id bigint not null,
    answers jsonb not null,
    agreed text not null,
    submitted boolean not null default false,
    created_at timestamptz not null default now(),
    expires_at timestamptz not null default now() + interval '24 hours',
    primary key (organization_id, token),
    foreign key (organization_id, template_id) references app.interview_templates on delete cascade
);
comment on table app.capture_drafts is 'Unfinished answers on public forms, kept for a day.';
comment on column app.capture_drafts.token is 'SHA-256 of the token in the address, in hexadecimal digits.';
comment on column app.capture_drafts.agreed is 'A hash of the texts of the consents that were shown.';
comment on column app.capture_drafts.submitted is 'Whether the answers were sent.';
comment on column app.capture_drafts.expires_at is 'When the draft is deleted.';

call app.isolate('app.capture_drafts', 'pipeline_jobs');

-- For deletion by the worker, and with the template.
create index capture_drafts_expiry on app.capture_drafts (organization_id, expires_at);
create index capture_drafts_template on app.capture_drafts (organization_id, template_id);

create policy public_form on app.capture_drafts to pipeline_public
    using (template_id = nullif(current_setting('app.template_id', true), '')::bigint
           and token = nullif(current_setting('app.draft_token', true), ''));
grant select (organization_id, token, template_id, answers, agreed, submitted, expires_at),
    insert (organization_id, token, template_id, answers, agreed),
    update (answers, agreed, submitted), delete
    on app.capture_drafts to pipeline_public;
grant select (organization_id, expires_at), delete on app.capture_drafts to pipeline_jobs;

-- A draft's files: deleted with it, unless a response takes them.
alter table app.files
    add column draft_token text default nullif(current_setting('app.draft_token', true), ''),
    add foreign key (organization_id, draft_token) references app.capture_drafts on delete cascade,
    add check (draft_token is null or invite_id is null);
comment on column app.files.draft_token is 'The draft of a public form with this file; null for other files.';
create index files_draft on app.files (organization_id, draft_token) where draft_token is not null;

create policy draft on app.files for select to pipeline_public
    using (draft_token = nullif(current_setting('app.draft_token', true), '')
           and exists (select from app.capture_drafts d
                       where d.organization_id = files.organization_id and d.token = files.draft_token));
create policy draft_upload on app.files for insert to pipeline_public with check (
    created_by is null
    and exists (select from app.capture_drafts d
                where d.organization_id = files.organization_id and d.token = files.draft_token
                  and not d.submitted and d.expires_at > now()));
create policy draft_removal on app.files for delete to pipeline_public
    using (exists (select from app.capture_drafts d
                   where d.organization_id = files.organization_id and d.token = files.draft_token
                     and not d.submitted));
create policy draft_upload on app.file_chunks for insert to pipeline_public with check (
    exists (select from app.files f
            join app.capture_drafts d on d.organization_id = f.organization_id and d.token = f.draft_token
            where f.organization_id = file_chunks.organization_id and f.id = file_chunks.file_id
              and not d.submitted and d.expires_at > now()));
grant select (draft_token) on app.files to pipeline_public;

grant select (draft_token, invite_id), update (draft_token, invite_id) on app.files to pipeline_lookup;
set local role pipeline_lookup;
create function app.draft_files_moved() returns trigger
    language plpgsql security definer set search_path = app, pg_temp as $$
begin
    update files set draft_token = null, invite_id = new.id
    where organization_id = new.organization_id
      and draft_token = nullif(current_setting('app.draft_token', true), '');
    return null;
end
$$;
comment on function app.draft_files_moved is 'Trigger: moves the files of the current draft to its response.';
grant execute on function app.draft_files_moved to pipeline_owner;

set local role pipeline_owner;
create trigger draft_files_moved after insert on app.interview_invites
    for each row when (new.origin = 'capture')
    execute function app.draft_files_moved();
