"""Tell a key who it is, and programs the seats.

A program reads its own key, and maps its users to the organization's.

Release: a view, a function and a grant.

Rollback: nothing.
"""

from pipeline.database import migrations

revision = "0009"
down_revision = "0008"


def upgrade():
    """Apply the revision."""
    migrations.owned("""
grant select (prefix, created_at) on app.api_keys to pipeline_lookup;
create view app.seat_records with (security_invoker = true) as
select
    seat.user_id as id, seat.organization_id, account.email, account.name, seat.seat_active as active,
    app.iso(seat.created_at) as created_at, app.iso(greatest(seat.updated_at, account.updated_at)) as updated_at
from app.organization_users as seat
join app.users as account on account.id = seat.user_id;
comment on view app.seat_records is 'Seats as the API shows them to programs, without role, team and invitations.';
call app.present('app.seat_records', 'pipeline_member', 'app.organization_users', 'app.users');
comment on column app.seat_records.id is 'Identifier of the user, as in assigned_to, owner_id and created_by.';
comment on column app.seat_records.active is 'Whether the seat is active, so that records can be assigned to the user.';
comment on column app.seat_records.created_at is 'When the seat was created.';
comment on column app.seat_records.updated_at is 'When the seat or the person was last changed.';
""")
    migrations.lookups("""
create function app.own_key()
    returns table (id bigint, name text, prefix text, role text, scopes text[], expires_at text, last_used_at text,
        created_at text)
    language sql stable security definer set search_path = app, pg_temp as $$
    select k.id, k.name, k.prefix, k.role, k.scopes, app.iso(k.expires_at), app.iso(k.last_used_at),
        app.iso(k.created_at)
    from app.api_keys k
    where k.organization_id = nullif(current_setting('app.organization_id', true), '')::bigint
        and k.id = nullif(current_setting('app.key_id', true), '')::bigint
$$;
comment on function app.own_key is 'The API key of this transaction; no row for a user.';
grant execute on function app.own_key to pipeline_member;
""")
