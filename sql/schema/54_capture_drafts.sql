-- Unfinished answers on public forms, and their files. Only the form with the draft's token sees them, for a day after
-- the last save and 30 days at most. Statistics count a draft like an invite, until its answers are sent.

set local role pipeline_owner;

create table app.capture_drafts (
    organization_id bigint not null references app.organizations (id),
    token text not null check (length(token) = 64),
    template_id bigint not null,
    answers jsonb not null,
    agreed text not null,
    submitted boolean not null default false,
    step text,
    shown text[] not null default '{}',
    created_at timestamptz not null default now(),
    expires_at timestamptz not null default now() + interval '24 hours',
    primary key (organization_id, token),
    foreign key (organization_id, template_id) references app.interview_templates on delete cascade
);
comment on table app.capture_drafts is 'Unfinished answers on public forms, kept for a day after the last save.';
comment on column app.capture_drafts.token is 'SHA-256 of the token in the address, in hexadecimal digits.';
comment on column app.capture_drafts.agreed is 'A hash of the texts of the consents that were shown.';
comment on column app.capture_drafts.submitted is 'Whether the answers were sent.';
comment on column app.capture_drafts.step is 'Key of the page to continue on, or check-answers for the review.';
comment on column app.capture_drafts.shown is
    'Keys of the pages that were shown; empty once an invite or a response counts instead of the draft.';
comment on column app.capture_drafts.expires_at is 'When the draft is deleted.';

call app.isolate('app.capture_drafts', 'pipeline_jobs');

-- For deletion by the worker, and with the template.
create index capture_drafts_expiry on app.capture_drafts (organization_id, expires_at);
create index capture_drafts_template on app.capture_drafts (organization_id, template_id);

create policy public_form on app.capture_drafts to pipeline_public
    using (template_id = nullif(current_setting('app.template_id', true), '')::bigint
           and token = nullif(current_setting('app.draft_token', true), ''));
grant select (organization_id, token, template_id, answers, agreed, submitted, step, shown, created_at, expires_at),
    insert (organization_id, token, template_id, answers, agreed, step, shown),
    update (answers, agreed, submitted, step, shown, expires_at), delete
    on app.capture_drafts to pipeline_public;
grant select (organization_id, expires_at), delete on app.capture_drafts to pipeline_jobs;

create function app.draft_tallied() returns trigger language plpgsql as $$
begin
    insert into app.interview_tallies (organization_id, template_id, day, fact, name, value, delta)
    select draft.organization_id, draft.template_id, cast(draft.created_at at time zone 'UTC' as date),
        fact.fact, fact.name, '', sum(draft.n)
    from (
        select new.organization_id, new.template_id, new.created_at, new.step, new.shown, 1 as n
        where tg_op <> 'DELETE'
        union all
        select old.organization_id, old.template_id, old.created_at, old.step, old.shown, -1
        where tg_op <> 'INSERT'
    ) as draft
    cross join lateral (
        select 'reached' as fact, page.key as name from unnest(draft.shown) as page (key)
        union all select counted.fact, counted.name
        from (values ('opened', ''), ('started', ''), ('left', coalesce(draft.step, ''))) as counted (fact, name)
        where draft.shown <> '{}'
    ) as fact
    group by 1, 2, 3, 4, 5
    having sum(draft.n) <> 0;
    return null;
end
$$;
comment on function app.draft_tallied is
    'Trigger: counts a draft for the statistics of its template. A draft that expires stays counted as left.';
-- An erasure deletes drafts (app.traces_erase).
grant insert (organization_id, template_id, day, fact, name, value, delta) on app.interview_tallies to pipeline_lookup;
create trigger tally_inserted after insert on app.capture_drafts for each row execute function app.draft_tallied();
create trigger tally_updated after update on app.capture_drafts for each row
    when ((old.step, old.shown) is distinct from (new.step, new.shown)) execute function app.draft_tallied();
create trigger tally_deleted after delete on app.capture_drafts for each row
    when (old.expires_at > now()) execute function app.draft_tallied();

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
