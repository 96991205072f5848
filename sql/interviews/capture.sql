--:name public_capture_open :one
--:doc A capture form's template by slug, with its context; interview_templates_public_slug.
select
    template.organization_id,
    template.template_id,
    set_config('app.organization_id', cast(template.organization_id as text), true) as organization_context,
    set_config('app.template_id', cast(template.template_id as text), true) as template_context,
    set_config('app.request_id', cast(:request_id as text), true) as request_context,
    set_config('role', 'pipeline_public', true) as database_role
from capture_by_slug(cast(:slug as text)) as template;

--:name public_preview_open :one
--:doc A read-only context limited to a signed link's template.
select
    set_config('transaction_read_only', 'on', true) as read_only,
    set_config('app.organization_id', cast(organization as text), true) as organization_context,
    set_config('app.template_id', cast(cast(:template_id as bigint) as text), true) as template_context,
    set_config('app.preview', 'on', true) as preview_context,
    set_config('app.request_id', cast(:request_id as text), true) as request_context,
    set_config('role', 'pipeline_public', true) as database_role
from app.check_here(cast(:organization_id as bigint)) as organization;

--:name public_capture_get :one
--:doc The open capture form without its version; primary keys.
select
    template.version_id as template_version_id,
    organization.branding,
    json_build_object(
        'name', organization.name,
        'logo_url', coalesce(organization.branding ->> 'logo_url', cast(:logos_url as text) || form_logo())
    ) as organization
from interview_templates as template
join organizations as organization on organization.id = template.organization_id
where template.id = cast(:template_id as bigint);

--:name public_capture_state :one
--:doc The open capture form's rules for answers; primary keys.
select
    template.organization_id,
    template.id as template_id,
    template.version_id as template_version_id,
    cast(now() at time zone organization.time_zone as date) as today
from interview_templates as template
join organizations as organization on organization.id = template.organization_id
where template.id = cast(:template_id as bigint);

--:name public_fields :many
--:doc The own fields of leads that a form can fill; the unique key of kind and key.
select field.key, field.type, field.options, field."default"
from fields as field
where field.kind = 'lead'
order by field.position, field.id;

--:name public_capture_lead :affected
--:doc Insert a capture form's lead for a user with an active seat.
insert into leads (
    first_name, last_name, email, phone, company, job_title, notes, tags, fields, source, assigned_to
)
values (
    :first_name, :last_name, :email, :phone, :company, :job_title, :notes, :tags, cast(:fields as jsonb), 'interview',
    case when is_active_seat(cast(:assigned_to as bigint)) then cast(:assigned_to as bigint) end
);

--:name public_capture_id :scalar
--:doc The id that this transaction gave in a table, from its sequence: a form cannot read leads.
select currval('app.' || cast(:of as text) || '_id_seq');

--:name public_capture_later :affected
--:doc Insert an invite in progress with the first answers and the given address.
insert into interview_invites (
    template_id, template_version_id, origin, assigned_to, token, recipient_email, language, send_email, email_status,
    status, answers, consents, hidden_fields, saved_at, started_at, step, shown
)
values (
    cast(:template_id as bigint),
    cast(:template_version_id as bigint),
    'capture',
    case when is_active_seat(cast(:assigned_to as bigint)) then cast(:assigned_to as bigint) end,
    :token,
    :recipient_email,
    :language,
    true,
    'queued',
    case when jsonb_strip_nulls(cast(:answers as jsonb)) = '{}' then 'pending' else 'started' end,
    cast(:answers as jsonb),
    consents_merged('{}', cast(:answers as jsonb), '{}', cast(:consents as jsonb)),
    cast(:hidden_fields as jsonb),
    now(),
    case when jsonb_strip_nulls(cast(:answers as jsonb)) <> '{}' then now() end,
    :step,
    cast(:shown as text[])
);

--:name public_capture_response :affected
--:doc Insert the submitted response of this transaction's lead.
insert into interview_invites (
    template_id, template_version_id, lead_id, origin, token, recipient_email, recipient_name, language, status,
    submitted_at, answers, consents, hidden_fields, rep_flags, tally, shown
)
values (
    cast(:template_id as bigint),
    cast(:template_version_id as bigint),
    currval('app.leads_id_seq'),
    'capture',
    :token,
    :recipient_email,
    :recipient_name,
    :language,
    'submitted',
    now(),
    cast(:answers as jsonb),
    consents_merged('{}', cast(:answers as jsonb), '{}', cast(:consents as jsonb)),
    cast(:hidden_fields as jsonb),
    cast(:rep_flags as jsonb),
    cast(:tally as jsonb),
    cast(:shown as text[])
);
