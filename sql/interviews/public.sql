--:name public_invite_open :one
--:doc A token's invite, with its context; unique token index.
select
    invite.organization_id,
    invite.invite_id,
    set_config('app.organization_id', cast(invite.organization_id as text), true) as organization_context,
    set_config('app.invite_id', cast(invite.invite_id as text), true) as invite_context,
    set_config('app.invite_token', cast(:token as text), true) as token_context,
    set_config('app.request_id', cast(:request_id as text), true) as request_context,
    set_config('role', 'pipeline_public', true) as database_role
from invite_by_token(cast(:token as text)) as invite;

--:name public_invite_enter :one
--:doc The token's invite with its form and submission rules; primary keys.
select invite.*
from invite_enter(cast(:token as text), cast(:request_id as text)) as invite;

--:name public_invite_status :scalar
--:doc The open invite's current status; primary key.
select invite_status(invite.status, invite.expires_at) as status
from interview_invites as invite
where invite.id = cast(:invite_id as bigint);

--:name public_interview_get :one
--:doc The prospect's form; no row once expired, no answers some days after submission.
select
    invite_status(invite.status, invite.expires_at) as status,
    invite.language,
    invite.template_version_id,
    organization.branding,
    case when readable.yes then invite.answers else '{}' end as answers,
    case when readable.yes then invite.hidden_fields else '{}' end as hidden_fields,
    case
        when lead.id is not null then
            json_build_object(
                'first_name', lead.first_name,
                'last_name', lead.last_name,
                'name', lead.name,
                'email', domain_shown(lead.email),
                'company', lead.company,
                'fields', lead.fields
            )
    end as lead,
    case when readable.yes then invite.recipient_name end as recipient_name,
    iso(invite.expires_at) as expires_at,
    iso(invite.submitted_at) as submitted_at,
    cast(now() at time zone organization.time_zone as date) as today,
    json_build_object(
        'name', organization.name,
        'logo_url', coalesce(organization.branding ->> 'logo_url', cast(:logos_url as text) || form_logo())
    ) as organization,
    invite.revision
from interview_invites as invite
join organizations as organization on organization.id = invite.organization_id
cross join
    lateral (
        select
            coalesce(
                invite.submitted_at > now() - make_interval(days => cast(:readable_days as integer)), true
            ) as yes
    ) as readable
left join leads as lead
    on lead.organization_id = invite.organization_id and lead.id = invite.lead_id and readable.yes
where
    invite.id = cast(:invite_id as bigint)
    and invite_status(invite.status, invite.expires_at) <> 'expired';

--:name public_answers_merge :one
--:doc Merge answers into the open invite; no row once submitted or expired.
update interview_invites as invite
set
    answers = (invite.answers || cast(:given as jsonb)) - cast(:cleared as text[]),
    consents = case
        when invite.consents = '{}' and cast(:consents as jsonb) = '{}' then invite.consents
        else consents_merged(
            invite.consents, invite.answers || cast(:given as jsonb), cast(:cleared as text[]), cast(:consents as jsonb)
        )
    end,
    hidden_fields = invite.hidden_fields || cast(:hidden_fields as jsonb),
    status = case when jsonb_strip_nulls(cast(:given as jsonb)) = '{}' then invite.status else 'started' end,
    started_at = case
        when jsonb_strip_nulls(cast(:given as jsonb)) = '{}' then invite.started_at
        else coalesce(invite.started_at, now())
    end,
    step = cast(:step as text),
    shown = cast(:shown as text[]),
    revision = invite.revision + 1,
    saved_at = now()
where
    invite.id = cast(:invite_id as bigint)
    and invite.status in ('pending', 'started')
    and invite.expires_at > now()
returning invite.status, invite.answers, invite.hidden_fields, invite.revision, iso(invite.saved_at) as saved_at;

--:name public_interview_submit :one
--:doc Submit the open invite, unless submitted or expired.
update interview_invites as invite
set
    answers = cast(:answers as jsonb),
    rep_flags = cast(:rep_flags as jsonb),
    lead_id = coalesce(cast(:lead_id as bigint), invite.lead_id),
    tally = cast(:tally as jsonb),
    shown = cast(:shown as text[]),
    status = 'submitted',
    submitted_at = now()
where
    invite.id = cast(:invite_id as bigint)
    and invite.status in ('pending', 'started')
    and invite.expires_at > now()
returning invite.status, iso(invite.submitted_at) as submitted_at;

--:name public_answers_lock :scalar
--:doc Lock and return the open invite's answers, unless submitted or expired.
select invite.answers
from interview_invites as invite
where
    invite.id = cast(:invite_id as bigint)
    and invite.status in ('pending', 'started')
    and invite.expires_at > now()
for no key update;

--:name public_file_same :scalar
--:doc The open invite's file with content; primary key.
select file.id
from files as file
where file.id = any(cast(:ids as bigint[])) and file.sha256 = :sha256
limit 1;

--:name public_files_prune :affected
--:doc Delete the open invite's unreferenced files; files_invite.
delete from files as file
where
    file.invite_id = cast(:invite_id as bigint)
    and not exists (
        select from interview_invites as invite
        where
            invite.id = file.invite_id
            and jsonb_path_exists(invite.answers, '$.*[*].id ? (@ == $id)', jsonb_build_object('id', file.id))
    );

--:name public_reminders_decline :affected
--:doc Stop the open invite's reminders, once; primary key.
update interview_invites
set reminders_declined_at = coalesce(reminders_declined_at, now())
where id = cast(:invite_id as bigint);

--:name public_interview_opened :affected
--:doc Store the first view of the open invite's form; primary key.
update interview_invites as invite
set opened_at = now()
where
    invite.id = cast(:invite_id as bigint)
    and invite.opened_at is null
    and invite.status in ('pending', 'started')
    and invite.expires_at > now();
