"""A comparable form of a database's schema."""

import re
import subprocess

import psycopg

from development.postgres import binary

# Excludes the tables of the revision and of the recorded schema.
ARGUMENTS = (
    "--schema-only",
    "--exclude-table=public.alembic_version",
    "--exclude-table=public.pipeline_schema",
    "--dbname",
)
ENTRY = re.compile(r"^--\n-- .*\n--\n", re.MULTILINE)
NOISE = re.compile(r"^(--.*|\\(un)?restrict .*|SET .*|SELECT pg_catalog\.set_config.*)?\n", re.MULTILINE)
# A table's columns and a list of grants may be written in any order.
UNORDERED = re.compile(r"CREATE TABLE|GRANT|REVOKE")

ROLES = """
select format('role %s%s%s', r.rolname,
       case when r.rolcanlogin then ' login' else ' nologin' end
       || case when r.rolinherit then '' else ' noinherit' end
       || case when r.rolbypassrls then ' bypassrls' else '' end,
       (select ', may become ' || string_agg(distinct m.roleid::regrole::text, ', ')
        from pg_auth_members m where m.member = r.oid))
       || coalesce((select string_agg(format(', %s', s), '' order by s) from unnest(r.rolconfig) as s), '')
from pg_roles r where r.rolname ~ '^pipeline_'"""

RIGHTS = """
select format('on the database: %s to %s', acl.privilege_type,
              case acl.grantee when 0 then 'public' else acl.grantee::regrole::text end)
from pg_database d cross join aclexplode(d.datacl) as acl where d.datname = current_database()"""


def snapshot(url: str) -> set[str]:
    """The schema at `url` (of a superuser) as a set of SQL statements.

    It includes roles and the rights on the database. The order of statements, columns and grants is removed. Raises
    subprocess.CalledProcessError if pg_dump fails.
    """
    command = [str(binary("pg_dump")), *ARGUMENTS, url]
    dumped = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    with psycopg.connect(url) as connection:
        kept_by_the_server = {line for query in (ROLES, RIGHTS) for (line,) in connection.execute(query)}
    return {_normalised(entry) for entry in ENTRY.split(dumped)} - {""} | kept_by_the_server


def _normalised(entry):
    text = NOISE.sub("", entry).strip()
    if UNORDERED.match(text):
        return "\n".join(sorted(line.rstrip(",") for line in text.split("\n")))
    return text
