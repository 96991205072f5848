"""Name the changed fields in the feed.

A program may read which fields have changed; their values stay the audit's.

Release: functions that the release before this one does not call.

Rollback: nothing.
"""

from pipeline.database import migrations

revision = "0008"
down_revision = "0007"


def upgrade():
    """Apply the revision."""
    migrations.owned("""
create function app.changed_names(p_changed jsonb) returns text[]
    language sql immutable parallel safe
    return array(
        select regexp_replace(name, '_file_id$', '_file') from jsonb_object_keys(coalesce(p_changed, '{}')) as name
        order by 1);
comment on function app.changed_names is
    'The names of changed fields as the API returns them, from the column changed; a file is named without its id.';
grant execute on function app.changed_names to pipeline_jobs, pipeline_lookup;
""")
    migrations.lookups("""
create function app.changed_fields(p_transaction_id bigint, p_id bigint) returns text[]
    language sql stable security definer set search_path = app, pg_temp as $$
    select app.changed_names(c.changed) from app.changes c
    where c.organization_id = nullif(current_setting('app.organization_id', true), '')::bigint
        and c.transaction_id = p_transaction_id and c.id = p_id
$$;
comment on function app.changed_fields is
    'The names of the changed fields of a change of the current organization, for members, who may not see the values.';
grant execute on function app.changed_fields to pipeline_member;
""")
