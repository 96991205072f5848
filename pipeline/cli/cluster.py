"""The doctor's checks of a cluster's servers."""

import re
from collections.abc import Callable
from functools import partial

from pipeline.cli.failures import Failure
from pipeline.cli.installation import LOGINS, Access
from pipeline.cli.report import Report
from pipeline.cli.servers import connected, servers_of
from pipeline.cli.tables import leaky, on, statistics
from pipeline.database import not_none
from pipeline.database.cluster import catalog
from pipeline.database.cluster.distribution import BETWEEN_NODES, DATABASE_SETTINGS, LOGIN_SETTINGS
from pipeline.process.settings.database_url import address_of

AGAIN = "stop the service, and run pipeline distribute again"
NODES = """
select nodename || ':' || nodeport, isactive, (
    select count(*) from pg_dist_placement p join pg_dist_shard s on s.shardid = p.shardid
    where p.groupid = n.groupid and s.logicalrelid = 'app.organizations'::regclass)
from pg_dist_node n where noderole = 'primary' order by nodeid"""
VERSION = "select extversion from pg_extension where extname = 'citus'"
REACHED = "select citus_check_connection_to_node(%s, %s)"
# A row per table, or per shard (named with a number): table, own name, RLS forced, policies.
POLICIES = """
select regexp_replace(c.relname, '_[0-9]{6,}$', ''), c.relname, c.relrowsecurity and c.relforcerowsecurity,
    coalesce(array_agg(concat_ws(' ', p.polname, p.polpermissive, p.polcmd, cast(p.polroles as regrole[]),
        pg_get_expr(p.polqual, c.oid), pg_get_expr(p.polwithcheck, c.oid)) order by p.polname)
        filter (where p.polname is not null), '{}')
from pg_class c left join pg_policy p on p.polrelid = c.oid
where c.relnamespace = 'app'::regnamespace and c.relkind = 'r' and (c.relname ~ '_[0-9]{6,}$') = %s
group by c.oid order by c.relname"""
CONDITIONS = """
select c.relname || '.' || p.polname, p.polpermissive, array_remove(
    array[pg_get_expr(p.polqual, c.oid), pg_get_expr(p.polwithcheck, c.oid)], null)
from pg_policy p join pg_class c on c.oid = p.polrelid
where c.relnamespace = 'app'::regnamespace and c.relname !~ '_[0-9]{6,}$' order by 1"""
# Conditions compare the organization with the context, or require a person's seat there.
BOUND = re.compile(
    r"organization_id = \(NULLIF\(current_setting\('app\.organization_id'|^\(*id = \(NULLIF|is_colleague\(id\)"
)
# Without a login, a request on the wrong server fails.
NO_LOGIN = ("pipeline_member", "pipeline_admin", "pipeline_public")
ROLES = "select rolname from pg_roles where rolname = any(%s) and rolcanlogin = %s order by rolname"
SETTINGS = """
select coalesce(r.rolname, ''), setting
from pg_db_role_setting s cross join unnest(s.setconfig) as setting left join pg_roles r on r.oid = s.setrole
where s.setdatabase in (0, (select oid from pg_database where datname = current_database()))"""

CheckLogin = Callable[[str, str], str]


def check_cluster(report: Report, access: Access, check_login: CheckLogin) -> None:
    """Check the servers; check_login(URL, login) returns a text or raises Failure."""
    report.check("cluster", lambda: _nodes(access))
    report.check("row-level security", lambda: _bounds(access))
    report.check("leaky conditions", lambda: on(access, leaky))
    for server in servers_of(access):
        where = address_of(server.owner_url)
        if report.check(where, partial(_answers, access, server)):
            report.check(f"{where} schema", partial(_functions, access, server))
            report.check(f"{where} policies", partial(_policies, access, server))
            report.check(f"{where} settings", partial(_settings, server))
            for login, setting in LOGINS.items():
                report.check(f"{where} {login}", partial(check_login, getattr(server.settings, setting), login))
            report.check(f"{where} statistics", partial(on, server, statistics))


def _nodes(access: Access) -> str:
    with connected(access) as connection:
        nodes = connection.execute(NODES).fetchall()
    if idle := [name for name, active, _ in nodes if not active]:
        raise Failure(f"{', '.join(idle)} is not active; call citus_activate_node on the coordinator.")
    return f"shards of each table: {', '.join(f'{shards} on {name}' for name, _, shards in nodes)}"


def _answers(access: Access, server: Access) -> str:
    host, port = address_of(server.owner_url).rsplit(":", 1)
    with connected(server) as there, connected(access) as connection:
        for role in () if server is access else BETWEEN_NODES:
            with connection.transaction():
                connection.execute(f"set local role {role}")
                reached = connection.execute(REACHED, [host, int(port)]).fetchone() == (True,)
            if not reached:
                raise Failure(f"the coordinator cannot log in as {role}: see pg_hba.conf there (docs/citus.md).")
        found, wanted = (not_none(one.execute(VERSION).fetchone())[0] for one in (there, connection))
        if found != wanted:
            raise Failure(f"its Citus is {found}, the coordinator's {wanted}: run alter extension citus update there.")
        return f"PostgreSQL {there.info.server_version // 10000}.{there.info.server_version % 10000}, Citus {found}"


def _bounds(access: Access) -> str:
    with connected(access) as connection:
        off = [name for name, _, forced, _ in connection.execute(POLICIES, [False]) if not forced]
        policies = connection.execute(CONDITIONS).fetchall()
    unbound = [name for name, permissive, said in policies if not permissive or not all(map(BOUND.search, said))]
    if off or unbound:
        raise Failure(f"off, not forced, or without a separate policy on the organization: {', '.join(off + unbound)}.")
    return "forced on every table, and each policy bounds the organization by itself"


def _functions(access: Access, server: Access) -> str:
    wanted, found = (_objects(one) for one in (access, server))
    if different := sorted(wanted ^ found):
        names = ", ".join(dict.fromkeys(name for name, _ in different))
        raise Failure(f"not as on the coordinator: {names}; {AGAIN}.")
    return f"{len(wanted)} functions, views and rights are those of the coordinator"


def _objects(server: Access) -> set[tuple[str, str]]:
    """{(name, definition)} of functions, views and rights."""
    with connected(server) as connection:
        # Definitions name what is on the path without its schema.
        connection.execute("set search_path = pg_catalog")
        objects = connection.execute(catalog.OBJECTS).fetchall()
        grants = connection.execute(catalog.GRANTS).fetchall()
    # A copied text resolves now() as app.now().
    made = {(name, f"{definition.replace('app.now()', 'now()')} of {owner}") for definition, _, name, owner in objects}
    return made | {(f"a right ({grant})", grant) for (grant,) in grants}


def _policies(access: Access, server: Access) -> str:
    """Check each shard's policies word by word: Citus has lost some."""
    with connected(access) as connection:
        wanted = {table: policies for table, _, *policies in connection.execute(POLICIES, [False])}
    with connected(server) as connection:
        shards = connection.execute(POLICIES, [True]).fetchall()
    if wrong := [shard for table, shard, *policies in shards if policies != wanted.get(table)]:
        raise Failure(f"not those of their tables on {', '.join(wrong)}: stop the service at once (docs/citus.md).")
    return f"those of their tables on {len(shards)} shards"


def _settings(server: Access) -> str:
    wanted = {("", f"{name}={value}") for name, value in DATABASE_SETTINGS.items()}
    wanted |= {(login, f"{name}={value}") for login in LOGINS for name, value in LOGIN_SETTINGS.items()}
    with connected(server) as connection:
        barred = connection.execute(ROLES, [list(BETWEEN_NODES), False]).fetchall()
        open_ = connection.execute(ROLES, [list(NO_LOGIN), True]).fetchall()
        missing = wanted - set(connection.execute(SETTINGS).fetchall())
    if open_:
        raise Failure(
            f"{_named(open_)} may log in, so that requests find nothing on the wrong server: alter role … nologin."
        )
    if barred or missing:
        what = ", ".join(sorted({f"{role} {setting}".strip() for role, setting in missing}))
        raise Failure(f"missing: {_named(barred) and f'the login of {_named(barred)} '}{what}; {AGAIN}.")
    return "roles and database have those of a cluster"


def _named(rows: list[tuple[str]]) -> str:
    return ", ".join(name for (name,) in rows)
