"""Lead capture: what the role of the public forms may add.

A capture form has no invite yet. In its context (app.template_id) the forms may add a lead and a submitted
response to it, and nothing else: the policies ask for a template that the context shows, which is one that is
enabled and not deleted. The new rows' ids come from the sequences, because the forms cannot read leads.
"""

from pipeline.database.migrations import lookups, owned

revision = "0013"
down_revision = "0012"

CAPTURE = """
grant usage on sequence app.leads_id_seq, app.interview_invites_id_seq to pipeline_public;

-- Status and source are not the form's to choose.
create policy public_capture on app.leads for insert to pipeline_public with check (
    status = 'new' and source = 'interview'
    and (assigned_to is null or app.is_active_seat(assigned_to))
    and exists (select from app.interview_templates t where t.organization_id = leads.organization_id));
grant insert (organization_id, first_name, last_name, email, phone, company, job_title, source, notes, tags,
        assigned_to)
    on app.leads to pipeline_public;

-- The response belongs to the lead that this session has just added.
create policy public_capture on app.interview_invites for insert to pipeline_public with check (
    origin = 'capture' and status = 'submitted'
    and lead_id = currval('app.leads_id_seq')
    and exists (select from app.interview_templates t
                where t.organization_id = interview_invites.organization_id
                  and t.id = interview_invites.template_id
                  and t.version_id = interview_invites.template_version_id));
grant insert (organization_id, template_id, template_version_id, lead_id, origin, token, recipient_email,
        recipient_name, status, submitted_at, answers, rep_flags)
    on app.interview_invites to pipeline_public;
"""

LOOKUPS = """
create function app.is_active_seat(p_user_id bigint) returns boolean
    language sql stable security definer set search_path = app, pg_temp as $$
    select exists (
        select from app.organization_users s
        where s.organization_id = nullif(current_setting('app.organization_id', true), '')::bigint
          and s.user_id = p_user_id and s.seat_active)
$$;
comment on function app.is_active_seat is 'Whether a user has an active seat in the current organization.';
grant execute on function app.is_active_seat to pipeline_public;
"""


def upgrade():
    """Apply the revision."""
    lookups(LOOKUPS)
    owned(CAPTURE)
