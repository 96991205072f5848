"""Describe functions for one server.

Comments of three functions named a cluster.

Release: nothing.

Rollback: nothing.
"""

from pipeline.database import migrations

revision = "0020"
down_revision = "0019"


def upgrade():
    """Apply the revision."""
    migrations.owned("""
comment on function app.change_transaction is
    'The number of this transaction in an organization''s record of change.';
comment on function app.changes_snapshot is
    'The committed transactions of an organization''s record of change.';
""")
    migrations.lookups("""
create or replace function app.signature_code_issue(p_code_id bigint) returns text
    language plpgsql security definer set search_path = app, pg_temp as $$
declare
    -- The first 48 bits of a version 4 UUID are random.
    v_code text := lpad(cast(cast(cast('x' || left(replace(cast(gen_random_uuid() as text), '-', ''), 12) as bit(48))
        as bigint) % 1000000 as text), 6, '0');
begin
    update app.signature_codes c
    set code_hash = encode(sha256(convert_to(p_code_id || ':' || v_code, 'UTF8')), 'hex'),
        expires_at = now() + interval '10 minutes', tries = 0
    where c.organization_id = nullif(current_setting('app.organization_id', true), '')::bigint
      and c.id = p_code_id and c.verified_at is null;
    return case when found then v_code end;
end
$$;
""")
