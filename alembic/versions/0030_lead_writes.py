"""Changes of leads that touch no index, and imports that fill new pages.

When a lead was changed last stands in a narrow table of its own, lead_changes. An index on leads.updated_at made each
change, of whatever field, write every index of the widest table anew; now a change of a field that no index holds is a
HOT update, for which each page keeps some room. With that room an import also leaves the pages alone that have place
for one lead or two, and wrote half as much log for it.
"""

from pipeline.migrations import lookups, owned, tenant_table

revision = "0030"
down_revision = "0028"

CHANGES = """
create index lead_changes_changed on app.lead_changes (organization_id, changed_at, lead_id);
alter table app.lead_changes alter column changed_at set statistics 500;
create policy member on app.lead_changes for select to pipeline_member using (true);
grant select on app.lead_changes to pipeline_member;
grant select, insert, update, delete on app.lead_changes to pipeline_lookup;

alter table app.leads no force row level security;
alter table app.lead_changes no force row level security;
insert into app.lead_changes (organization_id, lead_id, changed_at)
    select organization_id, id, updated_at from app.leads;
alter table app.leads force row level security;
alter table app.lead_changes force row level security;

drop index app.leads_updated;
alter table app.leads set (fillfactor = 90);
"""

KEEPING = """
create function app.lead_changed() returns trigger
    language plpgsql security definer set search_path = app, pg_temp as $$
begin
    if tg_op = 'INSERT' then
        insert into lead_changes (organization_id, lead_id, changed_at)
            select organization_id, id, updated_at from changed;
    elsif tg_op = 'UPDATE' then
        update lead_changes as change set changed_at = changed.updated_at from changed
            where change.organization_id = changed.organization_id and change.lead_id = changed.id;
    else
        delete from lead_changes as change using changed
            where change.organization_id = changed.organization_id and change.lead_id = changed.id;
    end if;
    return null;
end
$$;
comment on function app.lead_changed() is
    'Keeps in lead_changes when each lead was changed last. A definer function, so that nobody else need write there.';
revoke all on function app.lead_changed() from public;
grant execute on function app.lead_changed() to pipeline_owner;
"""

TRIGGERS = """
create trigger change_inserted after insert on app.leads
    referencing new table as changed for each statement execute function app.lead_changed();
create trigger change_updated after update on app.leads
    referencing new table as changed for each statement execute function app.lead_changed();
create trigger change_deleted after delete on app.leads
    referencing old table as changed for each statement execute function app.lead_changed();
"""


def upgrade():
    tenant_table("lead_changes", "lead_id bigint not null,\n    changed_at timestamptz not null", key="lead_id")
    owned(CHANGES)
    lookups(KEEPING)
    owned(TRIGGERS)
