--:name email_insert :scalar
--:doc Insert an outbound email; returns its id, no row for a repeated effect.
--:fields email: effect_key, message_id, from_email, from_name, to_email, to_name, reply_to_email, subject, body_text,
--:fields email: body_html, lead_id, invite_id, invite_part, link_id, signer_id, signer_part, code_id, unsubscribe_url,
--:fields email: attachment
insert into emails (
    effect_key --* email
)
values (
    :effect_key --* email
)
on conflict (organization_id, effect_key) do nothing
returning id;

--:name email_get :one
--:doc An outbound email; stale if its invite, link or signature request is invalid; primary keys.
select
    email.id,
    email.status,
    email.message_id, --* email, !effect_key, !lead_id, !invite_id
    case when email.invite_part = 'invite' then invite.reminders else '{}' end as reminders,
    email.created_at,
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
            when email.signer_part = 'code'
                then
                    signature_status(request.status, request.expires_at, request.signed_at) not in ('sent', 'completed')
                    or signer.status not in ('sent', 'viewed', 'signed')
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
--:doc Requeue a failed email, unless another attempt has claimed it; primary key.
update emails
set
    status = 'queued',
    transmitting_at = null,
    unanswered = unanswered + cast(cast(:unanswered as boolean) as integer),
    error = :error
where id = cast(:id as bigint) and claims = cast(:claim as integer) and status = 'sending';

--:name email_settle :affected
--:doc Store the result of an unsent email and its invite, and delete the attachment; primary keys.
with settled as (
    update emails
    set status = :status, error = :error, sent_at = cast(:sent_at as timestamptz), attachment = null
    where id = cast(:id as bigint) and status <> 'sent'
    returning organization_id, invite_id, invite_part
)

update interview_invites as invite
set
    email_status = case when settled.invite_part = 'invite' then :status else invite.email_status end,
    email_error = case when settled.invite_part = 'invite' then :error else invite.email_error end,
    sent_at = case when settled.invite_part = 'invite' then cast(:sent_at as timestamptz) else invite.sent_at end,
    copy_error = case when settled.invite_part = 'copy' then :error else invite.copy_error end,
    reminded_at = case
        when settled.invite_part = 'reminder' then cast(:sent_at as timestamptz) else invite.reminded_at
    end
from settled
where
    invite.organization_id = settled.organization_id
    and invite.id = settled.invite_id
    and (
        settled.invite_part in ('invite', 'copy')
        or (settled.invite_part = 'reminder' and cast(:status as text) = 'sent')
    );

--:name email_remind :affected
--:doc Raise an invite's reminder events, due some days after its email; primary keys.
insert into outbox (event, key, payload, begins_at, due_at)
select
    'invite_reminder',
    format('invite_reminder:%s:%s', invite.id, reminder.day),
    jsonb_build_object('invite_id', invite.id),
    invite.sent_at + make_interval(days => reminder.day),
    invite.sent_at + make_interval(days => reminder.day)
from emails as email
join interview_invites as invite
    on invite.organization_id = email.organization_id and invite.id = email.invite_id
cross join unnest(invite.reminders) as reminder (day)
where email.id = cast(:id as bigint) and invite.sent_at is not null
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

--:name email_secret_issue :scalar
--:doc A new token or code for an email's link or signer; null once settled or ended; primary keys.
select
    case
        when email.link_id is not null then account_link_issue(email.link_id)
        when email.code_id is not null then signature_code_issue(email.code_id)
        else signature_link_issue(email.signer_id)
    end as secret
from emails as email
where email.id = cast(:id as bigint);
