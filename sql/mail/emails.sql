--:name email_insert :scalar
--:doc Insert an outbound email; returns its id, no row for a repeated effect.
insert into emails (
    effect_key, message_id, from_email, from_name, to_email, to_name, reply_to_email, subject, body_text,
    body_html, lead_id, invite_id, invite_part, link_id, signer_id, signer_part, code_id, unsubscribe_url,
    attachment
)
values (
    :effect_key,
    format('<%s.%s>', nullif(current_setting('app.organization_id', true), ''), cast(:random_id as text)),
    :from_email, :from_name, :to_email, :to_name, :reply_to_email, :subject,
    :body_text, :body_html, :lead_id, :invite_id, :invite_part, :link_id, :signer_id, :signer_part, :code_id,
    :unsubscribe_url, :attachment
)
on conflict (organization_id, effect_key) do nothing
returning id;

--:name email_get :one
--:doc An outbound email; stale if its invite, link or signature request is invalid; primary keys.
select
    email.id,
    email.status,
    email.message_id, email.from_email, email.from_name, email.to_email, email.to_name, email.reply_to_email,
    email.subject, email.body_text, email.body_html, email.invite_part, email.link_id, email.signer_id,
    email.signer_part, email.code_id, email.unsubscribe_url, email.attachment,
    coalesce(
        case
            when email.invite_part = 'invite' then invite.reminders
            when email.signer_part = 'sign' then request.reminders
        end,
        '{}'
    ) as reminders,
    email.created_at,
    email.sealed_secret,
    email.unanswered,
    email.transmitting_at is not null as transmitting,
    email.transmitting_at < now() - make_interval(secs => cast(:patience as double precision)) as abandoned,
    coalesce(
        case email.invite_part
            when 'invite' then invite_status(invite.status, invite.expires_at) in ('submitted', 'expired')
            when 'reminder'
                then
                    invite_status(invite.status, invite.expires_at) <> 'pending'
                    or invite.reminders_declined_at is not null
        end,
        false
    )
    or coalesce(link.used_at is not null or link.expires_at <= now(), false)
    or coalesce(
        case
            when email.signer_part in ('sign', 'reminder')
                then
                    signature_status(request.status, request.expires_at, request.signed_at) <> 'sent'
                    or signer.status not in ('sent', 'viewed')
                    or email.created_at < signer.corrected_at
            when email.signer_part = 'code'
                then
                    signature_status(request.status, request.expires_at, request.signed_at) not in ('sent', 'completed')
                    or signer.status not in ('sent', 'viewed', 'signed')
                    or email.created_at < signer.corrected_at
        end,
        false
    ) as stale
from emails as email
left join interview_invites as invite
    on invite.organization_id = email.organization_id and invite.id = email.invite_id
left join account_links as link
    on link.organization_id = email.organization_id and link.id = email.link_id
left join signature_signers as signer
    on signer.organization_id = email.organization_id and signer.id = email.signer_id
left join signature_requests as request
    on request.organization_id = signer.organization_id and request.id = signer.request_id
where email.id = cast(:id as bigint);

--:name email_claim :scalar
--:doc Start an email's attempt; returns its number, unless closed or in transmission; primary key.
update emails
set status = 'sending', claims = claims + 1
where id = cast(:id as bigint) and status in ('queued', 'sending') and transmitting_at is null
returning claims;

--:name email_transmitting :affected
--:doc Store the start of transmission, unless another attempt has claimed the email; primary key.
update emails
set transmitting_at = now()
where
    id = cast(:id as bigint)
    and claims = cast(:claim as integer)
    and status = 'sending'
    and transmitting_at is null;

--:name email_release :affected
--:doc Requeue a failed email, unless another attempt has claimed it, and show the error with its invite; primary keys.
with held as materialized (
    -- The invite before the email, as its deletion does.
    select invite.id
    from interview_invites as invite
    join emails as email on email.organization_id = invite.organization_id and email.invite_id = invite.id
    where email.id = cast(:id as bigint)
    for no key update of invite
),

released as (
    update emails
    set
        status = 'queued',
        transmitting_at = null,
        unanswered = unanswered + cast(cast(:unanswered as boolean) as integer),
        error = :error
    where
        id = cast(:id as bigint)
        and claims = cast(:claim as integer)
        and status = 'sending'
        and (select count(*) from held) >= 0
    returning organization_id, invite_id, invite_part, error
)

update interview_invites as invite
set email_error = released.error
from released
where
    invite.organization_id = released.organization_id
    and invite.id = released.invite_id
    and released.invite_part = 'invite'
    and invite.email_status = 'queued';

--:name email_settle :one
--:doc Store the result of an unsent email, delete its attachment and secret, and return whom it is for; primary keys.
with held as materialized (
    -- The invite before the email, as its deletion does.
    select invite.id
    from interview_invites as invite
    join emails as email on email.organization_id = invite.organization_id and email.invite_id = invite.id
    where email.id = cast(:id as bigint)
    for no key update of invite
)

update emails
set
    status = :status,
    error = :error,
    sent_at = cast(:sent_at as timestamptz),
    attachment = null,
    sealed_secret = null
where id = cast(:id as bigint) and status <> 'sent' and (select count(*) from held) >= 0
returning invite_id, invite_part, signer_id, signer_part, to_email;

--:name email_bounce :one
--:doc Mark an accepted email, by its Message-ID, as failed, and return whom it was for; emails_message.
with held as materialized (
    -- The invite before the email, as its deletion does.
    select invite.id
    from interview_invites as invite
    join emails as email on email.organization_id = invite.organization_id and email.invite_id = invite.id
    where email.message_id = cast(:message_id as text)
    for no key update of invite
)

update emails
set status = 'failed', error = :error
where message_id = cast(:message_id as text) and status = 'sent' and (select count(*) from held) >= 0
returning id, invite_id, invite_part, signer_id, signer_part, to_email;

--:name email_settle_invite :affected
--:doc Store the result of an email with its invite; primary key.
update interview_invites
set
    email_status = case when cast(:invite_part as text) = 'invite' then :status else email_status end,
    email_error = case when cast(:invite_part as text) = 'invite' then :error else email_error end,
    sent_at = case when cast(:invite_part as text) = 'invite' then cast(:sent_at as timestamptz) else sent_at end,
    copy_error = case when cast(:invite_part as text) = 'copy' then :error else copy_error end,
    reminded_at = case
        when cast(:invite_part as text) = 'reminder' then cast(:sent_at as timestamptz) else reminded_at
    end
where
    id = cast(:invite_id as bigint)
    and (
        cast(:invite_part as text) in ('invite', 'copy')
        or (cast(:invite_part as text) = 'reminder' and cast(:status as text) = 'sent')
    );

--:name email_settle_signer :one
--:doc Store the result of an email to a signer's address with the signer; returns the request; primary key.
update signature_signers
set email_status = :status, email_error = :error
where
    id = cast(:signer_id as bigint)
    and email = :to_email
    and (cast(:status as text) in ('sent', 'failed') or email_status = 'queued')
returning request_id;

--:name email_remind :affected
--:doc Raise the reminder events of an email's invite or signer, due some days after the email; primary keys.
insert into outbox (event, key, payload, begins_at, due_at)
select
    about.event,
    -- A corrected signer is reminded anew.
    concat_ws(':', about.event, about.id, reminder.day, iso(signer.corrected_at)),
    jsonb_build_object(about.name, about.id, 'sent_at', iso(email.sent_at)),
    email.sent_at + make_interval(days => reminder.day),
    email.sent_at + make_interval(days => reminder.day)
from emails as email
cross join
    lateral (
        values ('invite_reminder', 'invite_id', email.invite_id), ('signature_reminder', 'signer_id', email.signer_id)
    ) as about (event, name, id)
cross join unnest(cast(:days as integer[])) as reminder (day)
left join signature_signers as signer
    on signer.organization_id = email.organization_id and signer.id = email.signer_id
where email.id = cast(:id as bigint) and email.sent_at is not null and about.id is not null
on conflict (organization_id, key) do nothing;

--:name mail_day_spend :scalar
--:doc Count an email for today (UTC); no row beyond the quota; primary key.
insert into mail_days (day, kind) values (cast(now() at time zone 'UTC' as date), :kind)
on conflict (organization_id, day, kind) do update
    set used = mail_days.used + 1
    where mail_days.used < cast(:quota as integer)
returning used;

--:name mail_day_used :scalar
--:doc Today's (UTC) number of emails of a kind; primary key.
select coalesce(max(day.used), 0)
from mail_days as day
where day.day = cast(now() at time zone 'UTC' as date) and day.kind = :kind;

--:name email_asked_today :scalar
--:doc The number of emails that prospects requested for an address within a day; emails_to.
select count(*)
from emails as email
join interview_invites as invite
    on invite.organization_id = email.organization_id and invite.id = email.invite_id
where
    email.to_email_key = email_key(:to_email)
    and (email.invite_part = 'copy' or invite.origin = 'capture' and email.invite_part <> 'notification')
    and email.created_at > now() - interval '1 day';

--:name email_signer_lock :many
--:doc Keep the signer of an email from being corrected; primary key.
select signer.id
from signature_signers as signer
where signer.id = cast(:id as bigint)
for share;

--:name email_secret_issue :scalar
--:doc A new token or code for an email's link or signer; null once settled, ended or corrected; primary keys.
select
    case
        when email.link_id is not null then account_link_issue(email.link_id)
        when email.created_at < signer.corrected_at then null
        when email.code_id is not null then signature_code_issue(email.code_id)
        else signature_link_issue(email.signer_id)
    end as secret
from emails as email
left join signature_signers as signer
    on signer.organization_id = email.organization_id and signer.id = email.signer_id
where email.id = cast(:id as bigint);

--:name email_secret_keep :affected
--:doc Keep the encrypted secret of an email until its result; primary key.
update emails
set sealed_secret = :sealed_secret
where id = cast(:id as bigint);
