"""Name the contract in changes of signature requests.

Changes by signers lack it. A request that is deleted meanwhile is named by its other changes; an entry of one without
any is removed, because no reader can use it.

Release: the release before writes changes by the functions of the revision before.

Rollback: nothing.
"""

from pipeline.database import migrations

revision = "0004"
down_revision = "0003"


def upgrade():
    """Apply the revision."""
    migrations.owned("grant update (parent_type, parent_id) on app.changes to pipeline_lookup")
    migrations.lookups("""
do $$
declare
    v_organization bigint;
begin
    for v_organization in select o.id from app.organizations o loop
        perform set_config('app.organization_id', cast(v_organization as text), true);
        update app.changes c set parent_type = 'contracts', parent_id = named.contract_id
            from (
                select r.id, r.contract_id from app.signature_requests r where r.organization_id = v_organization
                union
                select d.record_id, d.parent_id from app.changes d
                where d.organization_id = v_organization and d.type = 'signature-requests' and d.parent_id is not null
            ) as named
            where c.organization_id = v_organization and c.type = 'signature-requests' and c.record_id = named.id
              and c.parent_id is null;
        delete from app.changes c
            where c.organization_id = v_organization and c.type = 'signature-requests' and c.parent_id is null
              and c.record_id is not null;
    end loop;
end
$$
""")
    migrations.owned("""
revoke update (parent_type, parent_id) on app.changes from pipeline_lookup;
alter table app.changes add constraint changes_parent
    check (record_id is null or (type in ('notes', 'signature-requests', 'tasks')) = (parent_type is not null))
    not valid
""")
