-- Interview invites, and responses of lead-capture forms. A public form sees only the invite of its token
-- (app.invite_token), its version, the lead's prefill fields and public columns of the organization. A capture form may
-- only insert a lead and its response. SQLSTATEs: PI001 the invite is submitted, PI003 it is expired.

set local role pipeline_owner;

create function app.invite_status(status text, expires_at timestamptz) returns text
    language sql stable parallel safe
    return case when status in ('pending', 'started') and expires_at <= now() then 'expired' else status end;
comment on function app.invite_status is
    'The status to show and filter by: an open invite after its expiry is expired.';

create function app.invite_statuses(shown text[]) returns text[]
    language sql immutable parallel safe
    return shown || case when 'expired' = any(shown) then array['pending', 'started'] else '{}' end;
comment on function app.invite_statuses is
    'The stored statuses of invites that may have one of the given shown statuses.';
grant execute on function app.invite_statuses to pipeline_member;

grant execute on function app.invite_status
    to pipeline_app, pipeline_forms, pipeline_jobs, pipeline_member, pipeline_public, pipeline_lookup;

create function app.consents_merged(kept jsonb, answers jsonb, cleared text[], given jsonb) returns jsonb
    language sql stable parallel safe set search_path = app, pg_temp as $$
    select coalesce(jsonb_object_agg(key, record), '{}') from (
        -- Repeated consent to the same text keeps the first time.
        select key, record from jsonb_each(kept) as had (key, record)
        where had.key <> all (cleared) and answers -> had.key = 'true'
          and coalesce(given -> had.key ->> 'text' = had.record ->> 'text', true)
        union all
        select key, record || jsonb_build_object('given_at', app.iso(now())) from jsonb_each(given) as new (key, record)
        where (kept -> new.key ->> 'text') is distinct from (new.record ->> 'text')
    ) as merged
$$;
comment on function app.consents_merged is
    'The consents after new answers: new ones get the current time, withdrawn ones are removed, others stay.';
grant execute on function app.consents_merged to pipeline_public, pipeline_member;

create table app.interview_invites (
    organization_id bigint not null references app.organizations (id),
    id bigint generated always as identity,
    template_id bigint not null,
    template_version_id bigint not null,
    lead_id bigint,
    deal_id bigint,
    origin text not null default 'invite' check (origin in ('invite', 'capture')),
    assigned_to bigint,
    token text not null unique check (token ~ '^[0-9a-f]{64}$'),
    recipient_email text check (length(recipient_email) <= 255 and app.has_ascii_domain(recipient_email)),
    recipient_name text check (length(recipient_name) <= 255),
    personal_note text,
    language text,
    send_email boolean not null default false,
    reminders integer[] not null default '{}' check (cardinality(reminders) <= 3),
    status text not null default 'pending' check (status in ('pending', 'started', 'submitted', 'expired')),
    expires_at timestamptz not null default now() + interval '30 days',
    sent_at timestamptz,
    reminded_at timestamptz,
    reminders_declined_at timestamptz,
    opened_at timestamptz,
    started_at timestamptz,
    submitted_at timestamptz,
    created_by bigint,
    created_by_key bigint default nullif(current_setting('app.key_id', true), '')::bigint,
    email_status text check (email_status in ('queued', 'sent', 'skipped', 'failed')),
    email_error text,
    copy_error text,
    answers jsonb not null default '{}' check (jsonb_typeof(answers) = 'object'),
    consents jsonb not null default '{}' check (jsonb_typeof(consents) = 'object'),
    hidden_fields jsonb not null default '{}' check (jsonb_typeof(hidden_fields) = 'object'),
    rep_flags jsonb check (jsonb_typeof(rep_flags) = 'array'),
    revision integer not null default 0 check (revision >= 0),
    saved_at timestamptz,
    step text,
    shown text[] not null default '{}',
    tally jsonb check (jsonb_typeof(tally) = 'object'),
    name_key text collate "C" generated always as (app.sort_key(recipient_name)) stored,
    email_key text collate "C" generated always as (app.email_key(recipient_email)) stored,
    search_text text collate "C" not null generated always as (app.searched(
        app.name_lines(coalesce(recipient_name, ''), '') || E'\n' || app.domain_lines(recipient_email))) stored,
    created_at timestamptz not null default now(),
    updated_at timestamptz not null default now(),
    primary key (organization_id, id),
    check ((status = 'submitted') = (submitted_at is not null)),
    foreign key (organization_id, template_id, template_version_id)
        references app.interview_template_versions (organization_id, template_id, id),
    foreign key (organization_id, lead_id) references app.leads on delete set null (lead_id),
    foreign key (organization_id, deal_id) references app.deals,
    foreign key (organization_id, assigned_to) references app.organization_users,
    foreign key (organization_id, created_by) references app.organization_users,
    foreign key (organization_id, created_by_key) references app.api_keys
);
comment on table app.interview_invites is
    'Interview invites of one prospect each, with answers, and responses of lead-capture forms.';
comment on column app.interview_invites.template_version_id is 'The version of the template.';
comment on column app.interview_invites.lead_id is
    'The lead. Its name, email address and company prefill the form. For a capture form''s response, the lead created '
    'by it.';
comment on column app.interview_invites.deal_id is 'The deal that receives the configuration.';
comment on column app.interview_invites.origin is 'invite, or capture for a response of a lead-capture form.';
comment on column app.interview_invites.assigned_to is
    'For a capture form to be continued later: the user of its link, who gets the lead.';
comment on column app.interview_invites.token is 'The credential of the public form: 64 hexadecimal digits.';
comment on column app.interview_invites.recipient_email is 'Email address of the prospect.';
comment on column app.interview_invites.recipient_name is 'Name of the prospect.';
comment on column app.interview_invites.personal_note is 'Text above the standard text of the invite email.';
comment on column app.interview_invites.language is
    'Language of the form; null for the browser''s language, else the template''s.';
comment on column app.interview_invites.send_email is 'Whether an invite email is sent.';
comment on column app.interview_invites.reminders is
    'Days after the invite email on which reminders are sent while no answer is saved.';
comment on column app.interview_invites.status is 'pending, started, submitted or expired.';
comment on column app.interview_invites.sent_at is 'When the invite email was sent.';
comment on column app.interview_invites.reminded_at is 'When the last reminder was sent.';
comment on column app.interview_invites.reminders_declined_at is 'When the prospect unsubscribed from reminders.';
comment on column app.interview_invites.opened_at is
    'When the form was first opened in a browser, except by link scanners.';
comment on column app.interview_invites.started_at is 'When the first answer was saved.';
comment on column app.interview_invites.submitted_at is 'When it was submitted.';
comment on column app.interview_invites.email_status is
    'Status of the invite email: queued, sent, skipped or failed; null without an email.';
comment on column app.interview_invites.email_error is 'Why the invite email failed.';
comment on column app.interview_invites.copy_error is
    'Why the requested copy of the answers was not sent to the prospect.';
comment on column app.interview_invites.consents is
    'The given consents: for each, the text shown and the time of agreement.';
comment on column app.interview_invites.hidden_fields is
    'Values from the URL of the form, by the name of the hidden field.';
comment on column app.interview_invites.rep_flags is 'Flags for the rep, set at submission; null before.';
comment on column app.interview_invites.revision is 'The number of saves of answers.';
comment on column app.interview_invites.saved_at is 'When answers were last saved.';
comment on column app.interview_invites.step is
    'Key of the page to continue on, or check-answers for the review; null before the first answer.';
comment on column app.interview_invites.shown is
    'Keys of the pages that were shown up to that step, and check-answers for the review.';
comment on column app.interview_invites.tally is
    'The chosen values of submitted answers by question key, for statistics.';
comment on column app.interview_invites.search_text is 'Searched text: name and email address, one per line.';

call app.share('app.interview_invites');

-- Orders of the list.
create index interview_invites_expires on app.interview_invites (organization_id, expires_at, id);
create index interview_invites_name on app.interview_invites (organization_id, name_key, id);
create index interview_invites_email on app.interview_invites (organization_id, email_key, id);
create index interview_invites_created on app.interview_invites (organization_id, created_at, id);
create index interview_invites_updated on app.interview_invites (organization_id, updated_at, id);
-- The shown status depends on the expiry.
create index interview_invites_status on app.interview_invites (organization_id, status, expires_at);
-- Also for deletions of the referenced records.
create index interview_invites_template on app.interview_invites (organization_id, template_id, template_version_id);
create index interview_invites_lead on app.interview_invites (organization_id, lead_id);
create index interview_invites_deal on app.interview_invites (organization_id, deal_id);

grant
    insert (organization_id, template_id, template_version_id, lead_id, deal_id, origin, token, recipient_email,
        recipient_name, personal_note, language, send_email, reminders, status, expires_at, created_by, email_status),
    update (status, lead_id, deal_id, expires_at, sent_at, email_status, email_error)
    on app.interview_invites to pipeline_member;
grant update (status, sent_at, reminded_at, email_status, email_error, copy_error)
    on app.interview_invites to pipeline_jobs;
grant delete on app.interview_invites to pipeline_admin;
grant select (token) on app.interview_invites to pipeline_lookup;

-- Search (app.search_ids).
create index interview_invites_search_trigrams on app.interview_invites
    using gin (organization_id, search_text extensions.gin_trgm_ops);
grant select (organization_id, id, search_text) on app.interview_invites to pipeline_lookup;

call app.count_records('app.interview_invites');

create view app.interview_invite_records with (security_invoker = true) as
select
    invite.id, invite.organization_id, invite.template_id, invite.lead_id, invite.deal_id, invite.origin, invite.token,
    app.domain_shown(invite.recipient_email) as recipient_email, invite.recipient_name, invite.personal_note,
    invite.language, invite.send_email,
    invite.reminders, app.invite_status(invite.status, invite.expires_at) as status,
    app.iso(invite.expires_at) as expires_at, app.iso(invite.sent_at) as sent_at,
    app.iso(invite.reminded_at) as reminded_at, app.iso(invite.reminders_declined_at) as reminders_declined_at,
    app.iso(invite.opened_at) as opened_at, app.iso(invite.started_at) as started_at,
    app.iso(invite.submitted_at) as submitted_at, invite.email_status, invite.email_error, invite.created_by,
    app.created_by_kind(invite.created_by, invite.created_by_key, invite.origin = 'capture') as created_by_kind,
    coalesce(
        (select person.name from app.users as person where person.id = invite.created_by),
        (select api_key.name from app.api_keys as api_key where api_key.id = invite.created_by_key)
    ) as created_by_name,
    app.iso(invite.created_at) as created_at, app.iso(invite.updated_at) as updated_at
from app.interview_invites as invite;
comment on view app.interview_invite_records is 'Invites as the API returns them, without the URL of their form.';
call app.present('app.interview_invite_records', 'pipeline_member', 'app.interview_invites');
comment on column app.interview_invite_records.created_by_kind is 'Kind of the creator: user, key, prospect or system.';

call app.record_changes('app.interview_invites', 'interview-invites',
    '{template_id, template_version_id, lead_id, deal_id, origin, assigned_to, recipient_email, recipient_name,
    personal_note, language, send_email, reminders, status, expires_at, sent_at, reminded_at, reminders_declined_at,
    opened_at, started_at, submitted_at, email_status, email_error, copy_error, answers, consents, hidden_fields,
    rep_flags, revision}');

create function app.invite_guarded() returns trigger language plpgsql as $$
begin
    if old.status = 'submitted' and
       (new.answers, new.consents, new.hidden_fields, new.rep_flags, new.submitted_at, new.status, new.template_id,
        new.template_version_id)
       is distinct from
       (old.answers, old.consents, old.hidden_fields, old.rep_flags, old.submitted_at, old.status, old.template_id,
        old.template_version_id)
    then
        raise exception 'a submitted invite cannot change' using errcode = 'PI001';
    end if;
    if (old.status = 'expired' or (old.status in ('pending', 'started') and old.expires_at <= now()))
       and (new.answers is distinct from old.answers
            -- A renewed invite is open again.
            or (new.status not in (old.status, 'expired')
                and (new.expires_at is not distinct from old.expires_at or new.expires_at <= now()))) then
        raise exception 'an expired invite cannot be answered' using errcode = 'PI003';
    end if;
    -- A form may link only its new lead.
    if current_user = 'pipeline_public' and new.lead_id is distinct from old.lead_id then
        -- Nested, because other roles may not call app.lead_is_new.
        if old.lead_id is not null or old.origin <> 'capture' or not app.lead_is_new(new.lead_id) then
            raise exception 'the lead of an invite is not the form''s to choose'
                using errcode = 'insufficient_privilege';
        end if;
    end if;
    return new;
end
$$;
comment on function app.invite_guarded is
    'Trigger: refuses changes of a submitted invite, answers to an expired one, and a form''s link to a lead that it '
    'did not create.';
-- Saves the call for saved answers.
create trigger guard before update on app.interview_invites for each row
    when (old.status in ('submitted', 'expired') or old.expires_at <= now() or new.lead_id is distinct from old.lead_id)
    execute function app.invite_guarded();

-- A form sees its invite, its version and its lead.
create policy public_form on app.interview_invites to pipeline_public
    using (token = nullif(current_setting('app.invite_token', true), ''));
grant select (organization_id, id, template_id, template_version_id, lead_id, origin, assigned_to, recipient_email, recipient_name, language,
    status, expires_at, opened_at, started_at, submitted_at, reminders_declined_at, copy_error, answers, consents, hidden_fields,
    rep_flags, revision, saved_at, updated_at),
    update (lead_id, status, opened_at, started_at, submitted_at, reminders_declined_at, answers, consents, hidden_fields, rep_flags,
        revision, saved_at, step, shown, tally)
    on app.interview_invites to pipeline_public;

-- A form may add and delete files until the invite is submitted.
alter table app.files
    add column invite_id bigint default nullif(current_setting('app.invite_id', true), '')::bigint,
    add foreign key (organization_id, invite_id) references app.interview_invites on delete cascade;
comment on column app.files.invite_id is 'The invite of an uploaded file; null for other files.';
create index files_invite on app.files (organization_id, invite_id) where invite_id is not null;

create policy public_form on app.files for select to pipeline_public
    using (invite_id = nullif(current_setting('app.invite_id', true), '')::bigint
           and exists (select from app.interview_invites i
                       where i.organization_id = files.organization_id and i.id = files.invite_id));
create policy public_upload on app.files for insert to pipeline_public with check (
    created_by is null
    and exists (select from app.interview_invites i
                where i.organization_id = files.organization_id and i.id = files.invite_id
                  and i.status in ('pending', 'started') and i.expires_at > now()));
create policy public_removal on app.files for delete to pipeline_public
    using (exists (select from app.interview_invites i
                   where i.organization_id = files.organization_id and i.id = files.invite_id
                     and i.status in ('pending', 'started')));
grant select (organization_id, id, filename, content_type, size, sha256, invite_id),
    insert (organization_id, filename, content_type, size, sha256, created_by, invite_id), delete
    on app.files to pipeline_public;
create policy public_form on app.file_chunks for select to pipeline_public
    using (exists (select from app.files f
                   where f.organization_id = file_chunks.organization_id and f.id = file_chunks.file_id));
create policy public_upload on app.file_chunks for insert to pipeline_public with check (
    exists (select from app.files f
            join app.interview_invites i on i.organization_id = f.organization_id and i.id = f.invite_id
            where f.organization_id = file_chunks.organization_id and f.id = file_chunks.file_id
              and i.status in ('pending', 'started') and i.expires_at > now()));
grant select, insert (organization_id, file_id, position, content) on app.file_chunks to pipeline_public;
create policy public_form on app.storage_use for select to pipeline_public using (true);
grant select on app.storage_use to pipeline_public;

create policy public_form on app.interview_template_versions for select to pipeline_public
    using (exists (select from app.interview_invites i
                   where i.organization_id = interview_template_versions.organization_id
                     and i.template_version_id = interview_template_versions.id)
           or exists (select from app.interview_templates t
                      where t.organization_id = interview_template_versions.organization_id
                        and t.version_id = interview_template_versions.id));

create policy public_form on app.leads for select to pipeline_public
    using (exists (select from app.interview_invites i
                   where i.organization_id = leads.organization_id and i.lead_id = leads.id));
grant select (organization_id, id, first_name, last_name, name, email, company, phone, job_title, fields)
    on app.leads to pipeline_public;

-- A capture form inserts a new lead.
grant usage on sequence app.leads_id_seq, app.interview_invites_id_seq to pipeline_public;
create policy public_capture on app.leads for insert to pipeline_public with check (
    status = 'new' and source = 'interview'
    and (assigned_to is null or app.is_active_seat(assigned_to))
    and exists (select from app.interview_templates t where t.organization_id = leads.organization_id));
grant insert (organization_id, first_name, last_name, email, phone, company, job_title, source, notes, tags,
        assigned_to, fields)
    on app.leads to pipeline_public;

-- A capture form inserts the response to its lead.
create policy public_capture on app.interview_invites for insert to pipeline_public with check (
    origin = 'capture' and status = 'submitted'
    and app.lead_is_new(lead_id)
    and exists (select from app.interview_templates t
                where t.organization_id = interview_invites.organization_id
                  and t.id = interview_invites.template_id
                  and t.version_id = interview_invites.template_version_id));
grant insert (organization_id, template_id, template_version_id, lead_id, origin, assigned_to, token, recipient_email,
        recipient_name, language, send_email, email_status, status, started_at, submitted_at, answers, consents, hidden_fields, rep_flags,
        saved_at, step, shown, tally)
    on app.interview_invites to pipeline_public;

-- A form to be continued later inserts an open invite.
create policy public_later on app.interview_invites for insert to pipeline_public with check (
    origin = 'capture' and status in ('pending', 'started') and lead_id is null
    and send_email and recipient_email is not null and recipient_name is null
    and (assigned_to is null or app.is_active_seat(assigned_to))
    and exists (select from app.interview_templates t
                where t.organization_id = interview_invites.organization_id
                  and t.id = interview_invites.template_id
                  and t.version_id = interview_invites.template_version_id));
-- Submitting that invite inserts its lead.
create policy public_later on app.leads for insert to pipeline_public with check (
    status = 'new' and source = 'interview'
    and (assigned_to is null or app.is_active_seat(assigned_to))
    and exists (select from app.interview_invites i
                where i.organization_id = leads.organization_id and i.origin = 'capture' and i.lead_id is null
                  and i.status in ('pending', 'started') and i.expires_at > now()));

set local role pipeline_lookup;
create function app.invite_by_token(p_token text) returns table (organization_id bigint, invite_id bigint)
    language sql stable security definer set search_path = app, pg_temp as $$
    select i.organization_id, i.id from app.interview_invites i
    where i.token = p_token and app.check_here(i.organization_id) is not null
$$;
comment on function app.invite_by_token is 'The organization and invite of a token.';
grant execute on function app.invite_by_token to pipeline_forms;

set local role pipeline_owner;
-- Not a definer function: it sets the context for row-level security, then reads the invite. PostgreSQL checks policies
-- before a statement starts, so it takes two.
create function app.invite_enter(p_token text, p_request_id text) returns table (
    organization_id bigint, id bigint, template_id bigint, template_version_id bigint, recipient_email text, status text,
    makes_lead boolean, assigned_to bigint, language text, answers jsonb, hidden_fields jsonb, today date,
    organization_context text, database_role text
) language plpgsql as $$
declare
    v record;
begin
    select found.organization_id, found.invite_id into v from app.invite_by_token(p_token) as found;
    if v.invite_id is null then
        return;
    end if;
    perform set_config('app.organization_id', cast(v.organization_id as text), true),
        set_config('app.invite_id', cast(v.invite_id as text), true),
        set_config('app.invite_token', p_token, true),
        set_config('app.request_id', p_request_id, true),
        set_config('role', 'pipeline_public', true);
    return query
        select i.organization_id, i.id, i.template_id, i.template_version_id, i.recipient_email,
            app.invite_status(i.status, i.expires_at), i.origin = 'capture' and i.lead_id is null, i.assigned_to,
            i.language, i.answers, i.hidden_fields, cast(now() at time zone o.time_zone as date),
            cast(i.organization_id as text), 'pipeline_public'
        from app.interview_invites i join app.organizations o on o.id = i.organization_id
        where i.id = v.invite_id;
end
$$;
comment on function app.invite_enter is 'Opens the invite of a token, and returns its status, answers and assignments.';
grant execute on function app.invite_enter to pipeline_forms;
