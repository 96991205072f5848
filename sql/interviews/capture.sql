--:name public_capture_open :one
--:doc A capture form's template by slug, and the context in which only it exists; index interview_templates_public_slug.
select
    template.organization_id,
    template.template_id,
    set_config('app.organization_id', cast(template.organization_id as text), true) as organization_context,
    set_config('app.template_id', cast(template.template_id as text), true) as template_context,
    set_config('app.request_id', cast(:request_id as text), true) as request_context,
    set_config('role', 'pipeline_public', true) as database_role
from capture_by_slug(cast(:slug as text)) as template;

--:name public_preview_open :one
--:doc The context in which only the template of a signed link exists, and in which nothing can be written.
select
    set_config('transaction_read_only', 'on', true) as read_only,
    set_config('app.organization_id', cast(cast(:organization_id as bigint) as text), true) as organization_context,
    set_config('app.template_id', cast(cast(:template_id as bigint) as text), true) as template_context,
    set_config('app.preview', 'on', true) as preview_context,
    set_config('app.request_id', cast(:request_id as text), true) as request_context,
    set_config('role', 'pipeline_public', true) as database_role;

--:name public_capture_get :one
--:doc The open capture form as anybody sees it, but for its version; primary keys.
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
--:doc What the open capture form is answered against; primary keys.
select
    template.organization_id,
    template.id as template_id,
    template.version_id as template_version_id,
    cast(now() at time zone organization.time_zone as date) as today
from interview_templates as template
join organizations as organization on organization.id = template.organization_id
where template.id = cast(:template_id as bigint);

--:name public_capture_lead :affected
--:doc A lead from a capture form, that of a user whose seat is active at this moment; its status is the table's default.
insert into leads (
    first_name, last_name, email, phone, company, job_title, notes, tags, source, assigned_to
)
values (
    :first_name, :last_name, :email, :phone, :company, :job_title, :notes, :tags, 'interview',
    case when is_active_seat(cast(:assigned_to as bigint)) then cast(:assigned_to as bigint) end
);

--:name public_capture_lead_id :scalar
--:doc The id of the lead that this transaction has just added, from its sequence: a form reads no leads.
select currval('app.leads_id_seq');

--:name public_capture_later :affected
--:doc An invite in progress with what a capture form was answered so far; its link goes to the address given.
insert into interview_invites (
    template_id, template_version_id, origin, assigned_to, token, recipient_email, language, send_email, email_status,
    status, answers, consents, hidden_fields, saved_at, started_at, step
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
    case when cast(:answers as jsonb) = '{}' then 'pending' else 'started' end,
    cast(:answers as jsonb),
    consents_merged('{}', cast(:answers as jsonb), '{}', cast(:consents as jsonb)),
    cast(:hidden_fields as jsonb),
    now(),
    case when cast(:answers as jsonb) <> '{}' then now() end,
    :step
);

--:name public_capture_later_id :scalar
--:doc The id of the invite in progress that this transaction has just added, from its sequence.
select currval('app.interview_invites_id_seq');

--:name public_capture_response :affected
--:doc The submitted response of the lead that this transaction has just added.
insert into interview_invites (
    template_id, template_version_id, lead_id, origin, token, recipient_email, recipient_name, language, status,
    submitted_at, answers, consents, hidden_fields, rep_flags, tally
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
    cast(:tally as jsonb)
);

--:name public_capture_ids :one
--:doc The ids of the lead and the response that this transaction has just added, from their sequences.
select currval('app.leads_id_seq') as lead_id, currval('app.interview_invites_id_seq') as invite_id;
