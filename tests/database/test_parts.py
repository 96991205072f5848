import pytest

from pipeline.database.schema_record import SchemaDiffers, check_parts, parts

# {what is said: the change by hand}
CHANGES = {
    "added   table cities": "create table app.cities (id bigint)",
    "changed table leads": "alter table app.leads disable row level security",
    "changed table notes": "alter table app.notes owner to pipeline_lookup",
    "row-level security enabled, forced, unlogged": "alter table app.mail_hours set unlogged",
    "added   column leads.city": "alter table app.leads add city text",
    "changed column leads.source": "alter table app.leads alter source drop not null",
    "missing constraint leads": "alter table app.leads drop constraint leads_source_check",
    "missing index leads_external_id": "drop index app.leads_external_id",
    "(triggers not enabled)": "alter table app.leads disable trigger all",
    "changed policy leads.organization": "alter policy organization on app.leads using (true)",
    "has become as restrictive for all to pipeline_app": "alter policy organization on app.leads to pipeline_app",
    "added   policy leads.hole: as permissive for select to public using (true)": (
        "create policy hole on app.leads for select using (true)"
    ),
    "changed trigger leads.touch": "alter table app.leads disable trigger touch",
    "added   rule leads.silent": "create rule silent as on delete to app.leads do instead nothing",
    "changed function app.is_active_seat(bigint)": "alter function app.is_active_seat(bigint) reset search_path",
    "added   function app.longest": "create aggregate app.longest(integer) (sfunc = int4larger, stype = integer)",
    "changed view lead_records": "alter view app.lead_records reset (security_barrier, security_invoker)",
    "added   materialized view names": "create materialized view app.names as select name from app.teams",
    "changed sequence leads_id_seq": "alter sequence app.leads_id_seq increment by 2 cycle",
    "added   type mood: of": "create type app.mood as enum ('good')",
    "added   type short: of": "create domain app.short as text check (length(value) < 9)",
    "added   operator app.=": "create operator app.= (function = int48eq, leftarg = integer, rightarg = bigint)",
    "added   collation app.own": 'create collation app.own from "C"',
    "default rights functions of pipeline_owner": (
        "alter default privileges for role pipeline_owner grant execute on functions to public"
    ),
    "default acl for role postgres in schema app on tables": (
        "alter default privileges for role postgres in schema app grant select on tables to pipeline_public"
    ),
    "added   grant delete on leads to pipeline_public": "grant delete on app.leads to pipeline_public",
    "added   grant update on leads.id to pipeline_member": "grant update (id) on app.leads to pipeline_member",
    "added   grant usage on leads_id_seq to public": "grant usage on sequence app.leads_id_seq to public",
    "grant execute on app.overdue_end() to public": "grant execute on function app.overdue_end() to public",
    "grant usage on the language plpgsql to pipeline_app": "grant usage on language plpgsql to pipeline_app",
    "grant create on the schema app to pipeline_app": "grant create on schema app to pipeline_app",
    "grant execute on pg_read_file(text) to public": "grant execute on function pg_read_file(text) to public",
    "changed schema app": "alter schema app owner to pipeline_lookup",
    "missing extension unaccent": "drop extension unaccent cascade",
    "no login, inherits, bypasses row-level security": "alter role pipeline_member bypassrls",
    "pipeline_member, pipeline_owner": "grant pipeline_owner to pipeline_app",
    "has become login, search_path=public": "alter role pipeline_jobs set search_path = public",
    "row_security=off": "alter role all set row_security = off",
    "member of pipeline_member with": "grant pipeline_member to pipeline_forms with admin option",
    "with the rows of public.more": "create table public.more () inherits (app.leads)",
    "in steps of 9": "alter sequence app.leads_id_seq cache 9",
    "added   cast text as bigint": "create cast (text as bigint) with inout as implicit",
    "added   event trigger own: at login": (
        "create function app.own() returns event_trigger language plpgsql as 'begin end'; "
        "create event trigger own on ddl_command_end execute function app.own(); "
        "update pg_event_trigger set evtevent = 'login'"
    ),
    "added   function extensions.now()": (
        "create function extensions.now() returns timestamptz language sql as 'select null::timestamptz'"
    ),
    "changed setting session_replication_role: origin has become replica": "set session_replication_role = replica",
    "grant select on the table pg_statistic to public": "grant select on pg_statistic to public",
    "grant set on the parameter session_replication_role to pipeline_app": (
        "grant set on parameter session_replication_role to pipeline_app"
    ),
    "grant create on the database to pipeline_app": "grant create on database {} to pipeline_app",
    "added   grant create on the database to pipeline_forms": "alter database {} owner to pipeline_forms",
    "added   index own: CREATE UNIQUE INDEX": "create unique index own on app.leads (organization_id, id)",
}
# Each at the same time as every eighth other one; none of them hides another.
AT_ONCE = 8
IGNORED = {
    "an index": "create index own on app.leads (organization_id, job_title)",
    "an unfinished unique index": (
        "create unique index own_ccnew on app.leads (organization_id, id); "
        "update pg_index set indisvalid = false where indexrelid = 'app.own_ccnew'::regclass"
    ),
    "a grant that copies lack": "grant connect on database {} to pipeline_forms",
    "a removed index": "drop index app.webhooks_active",
    "statistics": "create statistics app.own on status, source from app.leads",
    "a vacuum setting": "alter table app.leads set (autovacuum_vacuum_scale_factor = 0.01)",
    "a limit of a login": "alter role pipeline_app set statement_timeout = '7s'",
}


@pytest.mark.parametrize("first", range(AT_ONCE), ids=list(CHANGES)[:AT_ONCE])
def test_changes_by_hand_are_found(owner, first):
    """Several at once, because each look at the schema takes its time."""
    made = list(CHANGES)[first::AT_ONCE]
    for said in made:
        owner.execute(CHANGES[said].format(owner.info.dbname))
    with pytest.raises(SchemaDiffers) as found:
        check_parts(owner)
    assert [said for said in made if said not in str(found.value)] == []


def test_every_kind_of_object_is_changed(owner):
    kinds = {kind for kind, _name in parts(owner)} - {"statistics"}
    assert len(kinds) > 12
    assert [kind for kind in kinds if not any(f"{kind} " in said for said in CHANGES)] == []


def test_objects_of_the_operator_are_ignored(owner):
    for change in IGNORED.values():
        owner.execute(change.format(owner.info.dbname))
    check_parts(owner)
