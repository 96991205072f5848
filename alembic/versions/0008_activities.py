"""Notes and tasks of leads and contracts.

One table for each, with exactly one parent: the lead or the contract. They go when their parent goes. The other
links are what a qualified lead's notes and tasks gain, and what a task may name.
"""

from pipeline.database.migrations import owned, tenant_table

revision = "0008"
down_revision = "0007"

LINKS = """
    lead_id bigint, contract_id bigint,
    contact_id bigint, company_id bigint, deal_id bigint,
    created_by bigint,
    created_at timestamptz not null default now(),
    updated_at timestamptz not null default now(),
    check (num_nonnulls(lead_id, contract_id) = 1),
    foreign key (organization_id, lead_id) references app.leads on delete cascade,
    foreign key (organization_id, contract_id) references app.contracts on delete cascade,
    foreign key (organization_id, contact_id) references app.contacts,
    foreign key (organization_id, company_id) references app.companies,
    foreign key (organization_id, deal_id) references app.deals,
    foreign key (organization_id, created_by) references app.organization_users
"""

NOTES = (
    """
    content text not null check (length(content) >= 1),
"""
    + LINKS
)

TASKS = (
    """
    title text not null check (length(title) between 1 and 255),
    description text,
    due_date date,
    due_time text check (due_time ~ '^([01][0-9]|2[0-3]):[0-5][0-9](:[0-5][0-9])?$'),
    priority text not null default 'medium' check (priority in ('low', 'medium', 'high')),
    assigned_to bigint,
    foreign key (organization_id, assigned_to) references app.organization_users,
"""
    + LINKS
)

GRANTS = """
create policy member on app.notes to pipeline_member, pipeline_jobs using (true) with check (true);
grant select on app.notes to pipeline_member, pipeline_jobs;
grant
    insert (organization_id, content, lead_id, contract_id, contact_id, company_id, deal_id, created_by),
    update (content, contact_id, company_id, deal_id), delete on app.notes to pipeline_member;

create policy member on app.tasks to pipeline_member, pipeline_jobs using (true) with check (true);
grant select on app.tasks to pipeline_member, pipeline_jobs;
grant
    insert (organization_id, title, description, due_date, due_time, priority, assigned_to, lead_id,
        contract_id, contact_id, company_id, deal_id, created_by),
    update (title, description, due_date, due_time, priority, assigned_to, contact_id, company_id,
        deal_id), delete
    on app.tasks to pipeline_member;
create index tasks_assigned_to on app.tasks (organization_id, assigned_to, id);
"""


def upgrade():
    """Apply the revision."""
    tenant_table("notes", NOTES)
    tenant_table("tasks", TASKS)
    owned(GRANTS)
    for table in ("notes", "tasks"):
        for link in ("lead", "contract", "contact", "company", "deal"):
            owned(
                f"create index {table}_{link} on app.{table} (organization_id, {link}_id, id) "
                f"where {link}_id is not null"
            )
