"""What the endpoints of the supporting records need.

Indexes: the names that lists are mostly sorted by have had theirs from the start; these serve the newest first, the
next closing deals, and quotes by number and status.

A person's name is the same in every organization, so an administrator may change it only while the person sits nowhere
else. Row-level security hides seats elsewhere from every role that serves requests; app.user_rename sees them.
"""

from pipeline.database.migrations import ORGANIZATION, lookups, owned

revision = "0017"
down_revision = "0016"

INDEXES = """
create index companies_created on app.companies (organization_id, created_at, id);
create index contacts_created on app.contacts (organization_id, created_at, id);
create index deals_created on app.deals (organization_id, created_at, id);
create index deals_closing on app.deals (organization_id, expected_close_date, id);
create index quotes_created on app.quotes (organization_id, created_at, id);
create index quotes_number on app.quotes (organization_id, quote_number collate "C", id);
create index quotes_status on app.quotes (organization_id, status, id);
create index configurations_created on app.configurations (organization_id, created_at, id);
"""

# The number behind a quote number that the service chose, or that looks like one of those.
SERIAL = """
alter table app.quotes add column serial bigint
    generated always as (cast(substring(quote_number from '^Q-([0-9]{1,9})$') as bigint)) stored;
create index quotes_serial on app.quotes (organization_id, serial);
"""

NAMES = """
revoke update (name) on app.users from pipeline_admin;
grant update (name) on app.users to pipeline_lookup;
"""

RENAME = f"""
create function app.user_rename(p_user_id bigint, p_name text) returns boolean
    language plpgsql security definer set search_path = app, pg_temp as $$
begin
    if not exists (select from app.organization_users m
                   where m.organization_id = {ORGANIZATION} and m.user_id = p_user_id) then
        return false;
    end if;
    update app.users u set name = p_name
    where u.id = p_user_id and u.name <> p_name and not exists (
        select from app.organization_users m where m.user_id = u.id and m.organization_id <> {ORGANIZATION});
    return exists (select from app.users u where u.id = p_user_id and u.name = p_name);
end
$$;
comment on function app.user_rename is
    'Whether a person with a seat here now has this name; who has a seat elsewhere, too, keeps the old one.';
grant execute on function app.user_rename to pipeline_admin;
"""


def upgrade():
    """Apply the revision."""
    owned(INDEXES)
    owned(SERIAL)
    owned(NAMES)
    lookups(RENAME)
