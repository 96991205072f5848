--:name notification_list :one
--:doc A page of the caller's notifications, newest first, with the total; notifications_user, notifications_unread.
with filtered as not materialized (
    select notification.id
    from notifications as notification
    where
        notification.organization_id is not null
        and notification.read_at is null --? unread=true
        and notification.read_at is not null --? unread=false
        and notification.id > cast(:after_id as bigint) --? after_id
        and notification.id = any(cast(:ids as bigint[])) --? ids
)

select
    (select count(*) from filtered) as total, --? !after_id
    (
        select cast(json_agg(record order by page.place) as text)
        from
            unnest(array((
                select notification.id
                from filtered as notification
                order by
                    notification.id asc, --? after_id
                    notification.id desc
                limit cast(:limit as bigint) offset cast(:offset as bigint)
            ))) with ordinality as page (id, place)
        join notification_records as record on record.id = page.id
    ) as data;

--:name notification_get :one
--:doc One of the caller's notifications; primary key.
select notification.*
from notification_records as notification
where notification.id = cast(:id as bigint);

--:name notification_read :affected
--:doc Mark the caller's notification as read, once; primary key.
update notifications
set read_at = now()
where id = cast(:id as bigint) and read_at is null;

--:name notification_read_all :affected
--:doc Mark all the caller's notifications as read; notifications_unread.
update notifications
set read_at = now()
where read_at is null;

--:name notification_insert :scalar
--:doc Insert a user's notification of an event once; returns its id.
insert into notifications (user_id, event, effect_key, title, body, data)
values (cast(:user_id as bigint), :event, :effect_key, :title, :body, cast(:data as jsonb))
on conflict (organization_id, user_id, effect_key) do nothing
returning id;

--:name notification_recipients :many
--:doc The first of two users with an active seat, else all active administrators, and who takes emails; primary keys.
with chosen as (
    select seat.user_id
    from organization_users as seat
    where seat.seat_active and seat.user_id in (cast(:assigned_to as bigint), cast(:created_by as bigint))
    order by seat.user_id = cast(:assigned_to as bigint) desc nulls last
    limit 1
)

select
    account.id as user_id,
    account.email,
    account.name,
    coalesce(
        case cast(:kind as text)
            when 'interviews' then chosen_kinds.interviews
            when 'leads' then chosen_kinds.leads
            when 'signatures' then chosen_kinds.signatures
            when 'webhooks' then chosen_kinds.webhooks
        end,
        true
    ) as takes_emails
from organization_users as seat
join users as account on account.id = seat.user_id
left join notification_emails as chosen_kinds
    on chosen_kinds.organization_id = seat.organization_id and chosen_kinds.user_id = seat.user_id
where
    seat.seat_active
    and case
        when exists (select from chosen) then seat.user_id = (select chosen.user_id from chosen)
        else seat.role = 'admin'
    end
order by account.id;

--:name notification_interview :one
--:doc A submitted interview's prospect, template and owner; primary keys.
select
    invite.id as invite_id,
    invite.lead_id,
    invite.template_id,
    invite.created_by,
    lead.assigned_to,
    version.name as template_name,
    coalesce(invite.recipient_name, lead.name, invite.recipient_email) as name,
    lead.name as lead,
    (select string_agg(said.flag, ', ') from jsonb_array_elements_text(invite.rep_flags) as said (flag)) as flags
from interview_invites as invite
join interview_template_versions as version
    on version.organization_id = invite.organization_id and version.id = invite.template_version_id
left join leads as lead on lead.organization_id = invite.organization_id and lead.id = invite.lead_id
where invite.id = cast(:invite_id as bigint);

--:name notification_lead :one
--:doc A captured lead and its form; primary keys.
select
    lead.id as lead_id,
    template.id as template_id,
    lead.assigned_to,
    lead.name,
    lead.company,
    template.name as template_name
from leads as lead
join interview_templates as template
    on template.organization_id = lead.organization_id and template.id = cast(:template_id as bigint)
where lead.id = cast(:lead_id as bigint);

--:name mail_hour_spend :one
--:doc Count a notification in the user's hour, started if missing; primary key.
insert into mail_hours (user_id, ends_at)
values (cast(:user_id as bigint), clock_timestamp() + interval '1 hour')
on conflict (organization_id, user_id) do update
    set
        used = case when mail_hours.ends_at > clock_timestamp() then mail_hours.used + 1 else 1 end,
        ends_at = case when mail_hours.ends_at > clock_timestamp() then mail_hours.ends_at else excluded.ends_at end
returning used, ends_at;

--:name mail_hour_end :affected
--:doc End a user's current hour, after concurrent additions; primary key.
update mail_hours
set ends_at = clock_timestamp()
where user_id = cast(:user_id as bigint) and ends_at = cast(:ends_at as timestamptz);

--:name notification_gather :affected
--:doc Add a notification to an hour's digest; primary key.
update notifications set digest_at = cast(:digest_at as timestamptz) where id = cast(:id as bigint);

--:name notification_digest :many
--:doc A digest's leads by form, with the address of a user who takes emails about leads; notifications_digest.
select
    notification.data ->> 'template_name' as interview,
    count(*) as leads,
    max(notification.id) as notification_id,
    account.email,
    account.name
from notifications as notification
join organization_users as seat
    on seat.organization_id = notification.organization_id and seat.user_id = notification.user_id and seat.seat_active
join users as account on account.id = seat.user_id
left join notification_emails as chosen
    on chosen.organization_id = seat.organization_id and chosen.user_id = seat.user_id
where
    notification.user_id = cast(:user_id as bigint)
    and notification.digest_at = cast(:digest_at as timestamptz)
    and coalesce(chosen.leads, true)
group by 1, account.id
order by 2 desc, 1;

--:name notification_told :many
--:doc A notification of the caller's, or all of its digest, newest first; primary keys, notifications_digest.
with named as (
    select
        notification.id,
        notification.digest_at
    from notifications as notification
    where notification.id = cast(:id as bigint)
)

select
    told.title,
    told.body,
    told.created_at,
    cast(told.data ->> 'invite_id' as bigint) as invite_id,
    (
        select request.sealed_file_id
        from signature_requests as request
        where request.id = cast(told.data ->> 'request_id' as bigint)
    ) as sealed_file_id
from
    unnest(array((
        select named.id
        from named
        union all
        select other.id
        from notifications as other
        where other.digest_at = (select named.digest_at from named) and other.id <> cast(:id as bigint)
    ))) as chosen (id)
join notifications as told on told.id = chosen.id
order by told.id desc
limit 1000;
