"""Name who gives up a sealed copy.

An admin alone replaces or deletes a sealed copy, and the evidence of its request names who did it.

Release: the release before this one goes on serving; a member's upload over a sealed copy is 403 there.

Rollback: nothing to do.
"""

from pipeline.database import migrations

revision = "0021"
down_revision = "0020"


def upgrade():
    """Apply the revision."""
    migrations.owned("""
alter table app.signature_events
    add actor_name text,
    drop constraint signature_events_event_check,
    add constraint signature_events_event_check check (event in ('sent', 'reminded', 'viewed', 'code_sent', 'verified',
        'signed', 'declined', 'cancelled', 'expired', 'completed', 'copy_replaced', 'copy_deleted')) not valid;
comment on column app.signature_events.event is
    'sent, reminded, viewed, code_sent, verified, signed, declined, cancelled, expired, completed, copy_replaced or '
    'copy_deleted.';
comment on column app.signature_events.actor_name is
    'The name, at that time, of the user or key that cancelled the request or gave up its sealed copy.';
grant insert (actor_name) on app.signature_events to pipeline_member;
create or replace function app.contract_guarded() returns trigger language plpgsql as $$
begin
    if new.executed_file_id is distinct from old.executed_file_id
       and not pg_has_role(current_user, 'pipeline_admin', 'usage') then
        if new.executed_file_id is null then
            raise exception 'only an administrator may remove an executed copy' using errcode = '42501';
        end if;
        perform 1 from app.signature_requests as request
            where request.organization_id = old.organization_id and request.sealed_file_id = old.executed_file_id;
        if found then
            raise exception 'only an administrator may replace a sealed copy' using errcode = '42501';
        end if;
    end if;
    return new;
end
$$;
comment on function app.contract_guarded is
    'Trigger: only an administrator may remove an executed copy or replace a sealed one.';
""")
    migrations.lookups("grant execute on function app.change_context to pipeline_member")
