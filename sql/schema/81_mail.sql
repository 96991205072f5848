-- Emails and their limits. An email is sent at most once: the sender commits transmitting_at before the content,
-- because the outcome may stay unknown. claims lets a slow sender notice that another has taken over.

set local role pipeline_owner;

create table app.emails (
    organization_id bigint not null references app.organizations (id),
    id bigint generated always as identity,
    direction text not null default 'outbound' check (direction in ('outbound', 'inbound')),
    status text not null default 'queued' check (status in ('queued', 'sending', 'sent', 'skipped', 'failed')),
    effect_key text,
    message_id text,
    from_email text not null,
    from_name text,
    reply_to_email text,
    to_email text not null check (app.has_ascii_domain(to_email)),
    to_name text,
    subject text not null,
    body_text text,
    body_html text,
    error text,
    lead_id bigint,
    contact_id bigint,
    company_id bigint,
    deal_id bigint,
    invite_id bigint,
    invite_part text check (invite_part in ('invite', 'reminder', 'copy', 'notification')),
    link_id bigint,
    signer_id bigint,
    signer_part text check (signer_part in ('sign', 'reminder', 'code', 'completed', 'copy', 'ended')),
    code_id bigint,
    unsubscribe_url text,
    attachment bytea check (octet_length(attachment) <= 16777216),
    to_email_key text collate "C" not null generated always as (app.email_key(to_email)) stored,
    claims integer not null default 0 check (claims >= 0),
    transmitting_at timestamptz,
    unanswered integer not null default 0 check (unanswered >= 0),
    sealed_secret text,
    sent_at timestamptz,
    created_at timestamptz not null default now(),
    updated_at timestamptz not null default now(),
    primary key (organization_id, id),
    unique (organization_id, effect_key),
    check ((invite_id is null) = (invite_part is null)),
    check ((signer_id is null) = (signer_part is null)),
    check ((code_id is null) = (signer_part is distinct from 'code')),
    foreign key (organization_id, lead_id) references app.leads on delete set null (lead_id),
    foreign key (organization_id, contact_id) references app.contacts on delete set null (contact_id),
    foreign key (organization_id, company_id) references app.companies on delete set null (company_id),
    foreign key (organization_id, deal_id) references app.deals on delete set null (deal_id),
    foreign key (organization_id, invite_id) references app.interview_invites,
    foreign key (organization_id, link_id) references app.account_links on delete cascade,
    foreign key (organization_id, signer_id) references app.signature_signers on delete cascade,
    foreign key (organization_id, code_id) references app.signature_codes on delete cascade
);
comment on table app.emails is 'Outbound and inbound emails.';
comment on column app.emails.direction is 'outbound or inbound.';
comment on column app.emails.status is 'queued, sending, sent, skipped or failed.';
comment on column app.emails.effect_key is 'The key of the event, so that a repeated delivery creates no second email.';
comment on column app.emails.message_id is 'The Message-ID header, which begins with the organization''s id.';
comment on column app.emails.from_email is 'Address of the sender.';
comment on column app.emails.from_name is 'Name of the sender.';
comment on column app.emails.reply_to_email is 'Address for replies.';
comment on column app.emails.to_email is 'Address of the recipient.';
comment on column app.emails.to_name is 'Name of the recipient.';
comment on column app.emails.subject is 'Subject line.';
comment on column app.emails.body_text is 'Content as plain text.';
comment on column app.emails.body_html is 'Content as HTML.';
comment on column app.emails.invite_part is
    'invite (first email with the link), reminder (the link again) or copy (a copy of the answers); null without an '
    'invite.';
comment on column app.emails.link_id is 'The link in the email; the email is deleted with it.';
comment on column app.emails.signer_id is 'The signer of the email; the email is deleted with it.';
comment on column app.emails.signer_part is
    'sign (first email with the link), reminder, code (to confirm the address), completed (with a link to the signed '
    'copy), copy (the signed copy to another address) or ended (declined or cancelled); null without a signer.';
comment on column app.emails.code_id is 'The code in the email; null without a code.';
comment on column app.emails.unsubscribe_url is 'The URL for one-click unsubscription (RFC 8058).';
comment on column app.emails.attachment is 'An attached PDF; deleted when the email is sent or given up.';
comment on column app.emails.to_email_key is 'The key of the recipient''s address.';
comment on column app.emails.claims is 'The number of attempts.';
comment on column app.emails.transmitting_at is
    'When transmission of the content began. Without a result, it is unknown whether the server accepted the email.';
comment on column app.emails.unanswered is 'The number of attempts without a response after the content.';
comment on column app.emails.sealed_secret is
    'The token or code in the email, encrypted outside of the database, to send the same message again; null once the '
    'result is known.';
comment on column app.emails.sent_at is 'When the mail server accepted it.';

call app.isolate('app.emails', 'pipeline_member', 'pipeline_jobs');

create trigger touch before update on app.emails for each row execute function app.touch();
create trigger link_mailed after update of status on app.emails for each row
    when (new.link_id is not null and new.status in ('sent', 'skipped', 'failed'))
    execute function app.account_link_mailed();

create index emails_lead on app.emails (organization_id, lead_id, id);
create index emails_to on app.emails (organization_id, to_email_key);
-- For bounces.
create index emails_message on app.emails (organization_id, message_id);
-- For deletions of the referenced records.
create index emails_contact on app.emails (organization_id, contact_id) where contact_id is not null;
create index emails_company on app.emails (organization_id, company_id) where company_id is not null;
create index emails_deal on app.emails (organization_id, deal_id) where deal_id is not null;
create index emails_invite on app.emails (organization_id, invite_id) where invite_id is not null;
create index emails_link on app.emails (organization_id, link_id) where link_id is not null;
create index emails_signer on app.emails (organization_id, signer_id) where signer_id is not null;
create index emails_code on app.emails (organization_id, code_id) where code_id is not null;

grant select, update (contact_id, company_id, deal_id) on app.emails to pipeline_member;
grant delete on app.emails to pipeline_admin;
grant select,
    insert (organization_id, direction, status, effect_key, message_id, from_email, from_name, reply_to_email, to_email,
        to_name, subject, body_text, body_html, lead_id, contact_id, company_id, deal_id, invite_id, invite_part, link_id,
        signer_id, signer_part, code_id, unsubscribe_url, attachment, sent_at),
    update (status, message_id, error, attachment, claims, transmitting_at, unanswered, sealed_secret, sent_at)
    on app.emails to pipeline_jobs;

create table app.mail_days (
    organization_id bigint not null references app.organizations (id),
    day date not null,
    kind text not null check (kind in ('invited', 'asked')),
    used integer not null default 1 check (used > 0),
    primary key (organization_id, day, kind)
);
comment on table app.mail_days is 'The number of emails of an organization on a day, by kind.';
comment on column app.mail_days.day is 'The day.';
comment on column app.mail_days.kind is
    'invited: emails sent by users; asked: emails requested by prospects, with a separate quota.';

call app.isolate('app.mail_days', 'pipeline_member', 'pipeline_jobs');

grant select, insert (organization_id, day, kind, used), update (used)
    on app.mail_days to pipeline_member, pipeline_jobs;
grant delete on app.mail_days to pipeline_jobs;

create table app.mail_hours (
    organization_id bigint not null references app.organizations (id),
    user_id bigint not null,
    ends_at timestamptz not null,
    used integer not null default 1 check (used > 0),
    primary key (organization_id, user_id),
    foreign key (organization_id, user_id) references app.organization_users on delete cascade
);
comment on table app.mail_hours is
    'The number of captured leads that a user got single emails about in the current hour.';
comment on column app.mail_hours.ends_at is 'When the hour ends.';

call app.isolate('app.mail_hours', 'pipeline_jobs');

grant select, insert (organization_id, user_id, ends_at, used), update (ends_at, used)
    on app.mail_hours to pipeline_jobs;
