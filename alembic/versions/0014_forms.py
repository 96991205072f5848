"""Hosted forms: an organization's logo for its prospects.

The pages load nothing from other servers, so they show the stored logo. It is public by its nature and is asked for
by its SHA-256, which only a page of that organization names; no other file can be read this way.
"""

from pipeline.database.migrations import lookups, owned

revision = "0014"
down_revision = "0013"

GRANTS = """
grant select (logo_file_id) on app.organizations to pipeline_lookup;
grant select (organization_id, id, content_type, sha256) on app.files to pipeline_lookup;
grant select (organization_id, file_id, position, content) on app.file_chunks to pipeline_lookup;
create index organizations_logo on app.organizations (logo_file_id) where logo_file_id is not null;
create index files_sha256 on app.files (sha256);
"""

LOOKUPS = """
create function app.form_logo() returns text
    language sql stable security definer set search_path = app, pg_temp as $$
    select f.sha256 from app.organizations o join app.files f on f.organization_id = o.id and f.id = o.logo_file_id
    where o.id = nullif(current_setting('app.organization_id', true), '')::bigint
      and f.content_type in ('image/png', 'image/jpeg')
$$;
comment on function app.form_logo is 'The SHA-256 of the current organization''s logo.';

create function app.logo_by_sha256(p_sha256 text) returns table (content_type text, content bytea)
    language sql stable security definer set search_path = app, pg_temp as $$
    select f.content_type,
        (select string_agg(c.content, ''::bytea order by c.position) from app.file_chunks c
         where c.organization_id = f.organization_id and c.file_id = f.id)
    from app.files f join app.organizations o on o.id = f.organization_id and o.logo_file_id = f.id
    where f.sha256 = p_sha256 and f.content_type in ('image/png', 'image/jpeg')
    limit 1
$$;
comment on function app.logo_by_sha256 is 'The file of a logo; files that are no organization''s logo are not found.';

grant execute on function app.form_logo to pipeline_public;
grant execute on function app.logo_by_sha256 to pipeline_forms;
"""


def upgrade():
    """Apply the revision."""
    owned(GRANTS)
    lookups(LOOKUPS)
