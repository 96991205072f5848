"""A lead as it is represented, in one place; a single lead, the list and the search all show it so.

The view has its caller's rights, so row-level security binds whoever reads it, and it dissolves into the statement that
names it: a plan does not change by it. phone_digits goes: search_text has the digits of the phone number, and nothing
reads the column.
"""

from pipeline.database.migrations import owned

revision = "0018"
down_revision = "0017"


def upgrade():
    """Apply the revision."""
    owned("""
create view app.lead_records with (security_invoker = true) as
select
    lead.id, lead.organization_id, lead.first_name, lead.last_name, lead.name, lead.email, lead.phone, lead.company,
    lead.company as company_name, lead.job_title, lead.source, lead.status, lead.notes, lead.tags, lead.assigned_to,
    assignee.name as assigned_to_name, lead.contact_id, lead.company_id, lead.deal_id, lead.disqualify_reason,
    app.iso(lead.qualified_at) as qualified_at, app.iso(lead.disqualified_at) as disqualified_at,
    app.iso(lead.created_at) as created_at, app.iso(lead.updated_at) as updated_at
from app.leads as lead
left join app.users as assignee on assignee.id = lead.assigned_to;
comment on view app.lead_records is 'Leads with the names and values that the API gives them.';
grant select on app.lead_records to pipeline_member;
alter table app.leads drop column phone_digits;
""")
