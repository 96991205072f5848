"""What proved impossible to render is remembered, and no statement of a request takes long.

A contract too complex for the renderer costs as many seconds of a processor as the limits allow, each time that
somebody asks for it. So the refusal stays with the contract's revision, and with the limits that it broke.
"""

from pipeline.database.migrations import installer, owned, tenant_table

revision = "0024"
down_revision = "0023"

REFUSALS = """
    contract_id bigint not null,
    kind text not null check (kind in ('pdf', 'docx')),
    revision integer not null check (revision >= 1),
    code text not null check (code in ('document_too_complex', 'unavailable')),
    reason text not null,
    limits integer[] not null,
    until timestamptz not null,
    foreign key (organization_id, contract_id) references app.contracts on delete cascade
"""

GRANTS = """
comment on table app.contract_refusals is
    'Why the newest revision that was tried could not be rendered, within which limits, and until when that holds.';
create policy member on app.contract_refusals to pipeline_member, pipeline_jobs using (true) with check (true);
grant select, insert (organization_id, contract_id, kind, revision, code, reason, limits, until),
    update (revision, code, reason, limits, until)
    on app.contract_refusals to pipeline_member, pipeline_jobs;
"""

# As 0001 has them by now, so that migrating another database of the cluster does not set them back. Imports and exports
# take more, each for its own transaction.
TIMEOUTS = """
do $timeouts$
declare
    wanted record;
begin
    for wanted in
        select login, setting, value
        from unnest(array['pipeline_app', 'pipeline_forms']) as login,
            (values ('statement_timeout', '5s'), ('lock_timeout', '2s')) as s (setting, value)
    loop
        if not exists (select from pg_roles where rolname = wanted.login
                       and rolconfig @> array[wanted.setting || '=' || wanted.value]) then
            execute format('alter role %I set %I to %L', wanted.login, wanted.setting, wanted.value);
        end if;
    end loop;
end
$timeouts$
"""


def upgrade():
    """Apply the revision."""
    tenant_table("contract_refusals", REFUSALS, key="contract_id, kind")
    owned(GRANTS)
    installer(TIMEOUTS)
