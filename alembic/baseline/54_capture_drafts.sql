-- Unfinished answers on public forms. Only the form with the draft's token sees them, for a day.

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
comment on column app.capture_drafts.answers is 'The answers by question key.';
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
