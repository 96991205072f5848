--:name interview_invite_list :one
--:doc A page of invites with the total; indexes for orders and filters, interview_invites_search_trigrams.
with
hit as materialized (select search_ids('interview_invites', cast(:search as text[])) as ids), --? search
filtered as not materialized (
    select invite.*
    from interview_invites as invite
    where
        invite.organization_id is not null
        and invite.lead_id = cast(:lead_id as bigint) --? lead_id
        and invite.deal_id = cast(:deal_id as bigint) --? deal_id
        and invite.template_id = cast(:template_id as bigint) --? template_id
        --? status {
        and invite.status = any(invite_statuses(cast(:status as text[])))
        and invite_status(invite.status, invite.expires_at) = any(cast(:status as text[]))
        --? }
        and invite.updated_at >= cast(:updated_since as timestamptz) --? updated_since
        and invite.id = any(cast((select hit.ids from hit) as bigint[])) --? search
        and invite.id > cast(:after_id as bigint) --? after_id
        and invite.id = any(cast(:ids as bigint[])) --? ids
)

select
    cast(coalesce(
        (select count(*) from filtered), --? filtered, !after_id
        (select sum(change.delta) from record_count_deltas as change where change.kind = 'interview_invites'),
        0
    ) as bigint) as total,
    (
        select cast(json_agg(record order by page.place) as text)
        from
            unnest(array((
                select invite.id
                from filtered as invite
                order by
                    invite.organization_id
                    , invite.id asc --? after_id
                    , invite.created_at asc, invite.id asc --/ sort_by=created_at
                    , invite.expires_at asc, invite.id asc --/ sort_by=expires_at
                    , invite.name_key asc nulls last, invite.id asc --/ sort_by=recipient_name
                    , invite.email_key asc nulls last, invite.id asc --/ sort_by=recipient_email
                    , invite.updated_at asc, invite.id asc --/ sort_by=updated_at
                limit cast(:limit as bigint) offset cast(:offset as bigint)
            ))) with ordinality as page (id, place)
        cross join lateral (
            select invite.*, cast(:forms_url as text) || invite.token as public_url
            from interview_invite_records as invite
            where invite.id = page.id
        ) as record
    ) as data;

--:name interview_invite_get :one
--:doc One invite; primary key.
select invite.*, cast(:forms_url as text) || invite.token as public_url
from interview_invite_records as invite
where invite.id = cast(:id as bigint);

--:name interview_invite_insert :scalar
--:doc Insert an invite for the template's current version; returns its id.
insert into interview_invites (
    template_id, template_version_id, lead_id, deal_id, token, recipient_email, recipient_name, personal_note,
    language, send_email, reminders, expires_at, created_by, email_status
)
select
    template.id,
    template.version_id,
    cast(:lead_id as bigint),
    cast(:deal_id as bigint),
    :token,
    :recipient_email,
    :recipient_name,
    :personal_note,
    :language,
    cast(:send_email as boolean),
    cast(:reminders as integer[]),
    coalesce(cast(:expires_at as timestamptz), now() + interval '30 days'),
    cast(:created_by as bigint),
    case when cast(:send_email as boolean) then 'queued' end
from interview_templates as template
where template.id = cast(:template_id as bigint) and template.deleted_at is null
returning id;

--:name interview_invite_expire :scalar
--:doc Lock an invite, and expire it if open; returns its earlier status.
with before as (
    select invite.id, invite_status(invite.status, invite.expires_at) as status
    from interview_invites as invite
    where invite.id = cast(:id as bigint)
    for update
),

expired as (
    update interview_invites as invite
    set status = 'expired'
    from before
    where invite.id = before.id and before.status in ('pending', 'started')
)

select before.status from before;

--:name interview_invite_renew :one
--:doc Prolong an invite that is not submitted and queue its email; returns whether it was prolonged; primary key.
with before as (
    select invite.id, invite.status <> 'submitted' as renewed
    from interview_invites as invite
    where invite.id = cast(:id as bigint)
    for no key update
),

changed as (
    update interview_invites as invite
    set
        status = case when invite.started_at is null then 'pending' else 'started' end,
        expires_at = coalesce(cast(:expires_at as timestamptz), now() + interval '30 days'),
        email_status = 'queued',
        email_error = null,
        sent_at = null
    from before
    where invite.id = before.id and before.renewed
)

select before.renewed
from before;

--:name interview_responses_get :one
--:doc An invite's answers and their version; primary keys.
select
    invite.id as invite_id,
    invite.template_id,
    invite.template_version_id,
    invite_status(invite.status, invite.expires_at) as status,
    invite.answers,
    invite.consents,
    invite.hidden_fields,
    invite.rep_flags,
    iso(invite.submitted_at) as submitted_at,
    invite.copy_error
from interview_invites as invite
where invite.id = cast(:id as bigint);

--:name interview_invite_email :one
--:doc The data of an invite's emails, and whether it takes answers and reminders; primary keys.
select
    invite.id,
    invite.lead_id,
    invite.origin,
    invite.token,
    invite.recipient_email,
    invite.recipient_name,
    invite.personal_note,
    invite_status(invite.status, invite.expires_at) in ('pending', 'started') as answerable,
    invite_status(invite.status, invite.expires_at) = 'pending'
    and invite.reminders_declined_at is null as remindable,
    -- Later days may exceed the calendar in some time zone.
    least(invite.expires_at, timestamptz '9999-12-31T00:00Z') at time zone organization.time_zone as expires_local,
    coalesce(version.translations -> invite.language ->> 'name', version.name) as interview,
    coalesce(invite.language, version.language) as language,
    organization.name as organization,
    organization.time_zone,
    organization.branding,
    logo.sha256 as logo,
    rep.name as rep_name,
    rep.email as rep_email
from interview_invites as invite
join organizations as organization on organization.id = invite.organization_id
join interview_template_versions as version
    on version.organization_id = invite.organization_id and version.id = invite.template_version_id
left join files as logo on logo.organization_id = organization.id and logo.id = organization.logo_file_id
left join organization_users as seat
    on seat.organization_id = invite.organization_id and seat.user_id = invite.created_by and seat.seat_active
left join users as rep on rep.id = seat.user_id
where invite.id = cast(:id as bigint);

--:name interview_invite_requeue :one
--:doc Queue an invite's failed email again, if the invite takes answers; returns whether it was queued; primary key.
with before as (
    select
        invite.id,
        invite.email_status = 'failed'
        and invite_status(invite.status, invite.expires_at) in ('pending', 'started') as requeued
    from interview_invites as invite
    where invite.id = cast(:id as bigint)
    for no key update
),

changed as (
    update interview_invites as invite
    set email_status = 'queued', email_error = null
    from before
    where invite.id = before.id and before.requeued
)

select before.requeued
from before;

--:name interview_invite_not_mailed :affected
--:doc Store the failure of an invite's email; primary key.
update interview_invites
set email_status = cast(:email_status as text), email_error = cast(:email_error as text)
where id = cast(:id as bigint) and sent_at is null;

--:name interview_copy_refused :affected
--:doc Store the failure of the prospect's copy; primary key.
update interview_invites
set copy_error = :error
where id = cast(:id as bigint);
