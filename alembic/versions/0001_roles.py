"""Roles, schema and helper functions.

Roles belong to the whole cluster: several databases of one cluster share them, and two of these may be
migrated at
the same moment. So every role is made only when it is missing, changed only when it differs, and a collision
with the other migration is tried again.

Nobody but pipeline_owner may create anything in the schema app, and no function in it is executable by
PUBLIC.
Extensions live in a schema of their own, so that "every function in app" means Pipeline's own functions.
"""

from sqlalchemy.exc import DBAPIError

from alembic import op
from pipeline.database.migrations import installer, owned

revision = "0001"
down_revision = None

ROLES = """
do $roles$
declare
    wanted record;
begin
    for wanted in select * from (values
        ('pipeline_owner', 'nologin'),
        ('pipeline_lookup', 'nologin bypassrls'),
        ('pipeline_member', 'nologin'),
        ('pipeline_admin', 'nologin inherit'),
        ('pipeline_public', 'nologin'),
        ('pipeline_app', 'login noinherit'),
        ('pipeline_forms', 'login noinherit'),
        ('pipeline_jobs', 'login noinherit')
    ) as r (name, options) loop
        if not exists (select from pg_roles where rolname = wanted.name) then
            execute format('create role %I %s', wanted.name, wanted.options);
        end if;
    end loop;

    for wanted in select * from (values
        ('pipeline_member', 'pipeline_admin'),
        ('pipeline_member', 'pipeline_app'),
        ('pipeline_admin', 'pipeline_app'),
        ('pipeline_public', 'pipeline_forms')
    ) as m (role, member) loop
        if not exists (select from pg_auth_members
                       where roleid = wanted.role::regrole and member = wanted.member::regrole) then
            execute format('grant %I to %I', wanted.role, wanted.member);
        end if;
    end loop;

    -- jit off: compiling costs more than these statements run.
    -- No parallel workers: starting them costs more than they save, and a request would take the cores of others.
    -- random_page_cost for solid-state disks: with the default a frequent word is counted over the whole table.
    for wanted in
        select login, setting, value
        from unnest(array['pipeline_app', 'pipeline_forms', 'pipeline_jobs']) as login, lateral (values
            ('search_path', 'app, extensions, pg_catalog, pg_temp'),
            ('TimeZone', 'UTC'),
            -- What serves requests may reuse plans: planning is most of the cost of a page. A statement whose values
            -- decide its plan is not prepared (sql/README.md).
            ('plan_cache_mode', case login when 'pipeline_jobs' then 'force_custom_plan' else 'auto' end),
            ('jit', 'off'),
            ('max_parallel_workers_per_gather', '0'),
            ('random_page_cost', '1.1'),
            ('statement_timeout', case login when 'pipeline_jobs' then '10min' else '5s' end),
            ('lock_timeout', case login when 'pipeline_jobs' then '5s' else '2s' end),
            ('idle_in_transaction_session_timeout',
             case login when 'pipeline_jobs' then '5min' else '30s' end)
        ) as s (setting, value)
    loop
        if not exists (select from pg_roles where rolname = wanted.login
                       and rolconfig @> array[wanted.setting || '=' || wanted.value]) then
            -- A list of schemas stands unquoted, everything else as a literal.
            execute format(case wanted.setting when 'search_path' then 'alter role %I set %I to %s'
                           else 'alter role %I set %I to %L' end, wanted.login, wanted.setting, wanted.value);
        end if;
    end loop;

    if not (select rolsuper from pg_roles where rolname = current_user) then
        execute format('grant pipeline_owner, pipeline_lookup to %I', current_user);
    end if;
end
$roles$
"""

DATABASE = """
revoke create on schema public from public;
revoke all on public.alembic_version from public;
grant select on public.alembic_version to pipeline_app, pipeline_forms, pipeline_jobs;

create schema extensions;
grant usage on schema extensions to public;
create extension pg_trgm schema extensions;
create extension btree_gin schema extensions;
create extension unaccent schema extensions;

create schema app authorization pipeline_owner;
"""

SCHEMA = """
alter default privileges revoke execute on functions from public;

grant usage on schema app to pipeline_app, pipeline_forms, pipeline_jobs,
    pipeline_member, pipeline_admin, pipeline_public, pipeline_lookup;

create function app.iso(moment timestamptz) returns text
    language sql stable parallel safe
    return to_char(moment at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"');
comment on function app.iso is 'The one form of a timestamp in JSON, UTC with six digits.';

create function app.money(minor bigint) returns numeric
    language sql immutable parallel safe
    return trim_scale(minor * 0.01);
comment on function app.money is
    'Minor units as the decimal number of JSON, exact (multiplied, never divided).';

create function app.plain(value text) returns text
    language sql immutable parallel safe
    return lower(extensions.unaccent('extensions.unaccent'::regdictionary, value));
comment on function app.plain is
    'Text without case and accents. Immutable as long as the dictionary file unaccent.rules stays as it is.';

create function app.sort_key(value text) returns text
    language sql immutable parallel safe
    return left(app.plain(value), 200);
comment on function app.sort_key is
    'What text is sorted by, no longer than an index entry may be. Kept in columns with collation "C", so '
    'that the order is the same on every server.';

create function app.touch() returns trigger language plpgsql as $$
begin
    new.updated_at := now();
    return new;
end
$$;

grant execute on function app.iso, app.money, app.plain, app.sort_key
    to pipeline_app, pipeline_forms, pipeline_jobs, pipeline_member, pipeline_public, pipeline_lookup;
"""


def upgrade():
    """Apply the revision."""
    create_roles()
    installer(DATABASE)
    owned(SCHEMA)
    installer(
        "set local role pipeline_lookup; "
        "alter default privileges revoke execute on functions from public; set local role none"
    )


def create_roles(attempts: int = 10):
    """Create the roles; tried again when another database's migration was doing the same."""
    for attempt in range(1, attempts + 1):
        try:
            with op.get_bind().begin_nested():
                return installer(ROLES)
        except DBAPIError as error:
            # 42710 and 23505: the role came into being meanwhile. XX000: "tuple concurrently updated".
            if attempt == attempts or error.orig.sqlstate not in {"42710", "23505", "XX000"}:
                raise
    return None
