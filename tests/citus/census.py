"""Executes each statement of sql/ on an organization's worker, as each role that sends it."""

import psycopg
from psycopg.rows import dict_row

from pipeline.database import queries
from tests.database.asked import NAMES, typed, variants
from tests.database.conftest import LOGIN_OF

ROLES = {**LOGIN_OF, "pipeline_app": "pipeline_app", "pipeline_forms": "pipeline_forms"}
DENIED = "denied"
# The samples are types, not sense: a shard that refuses a row for its content has been reached, and so was a sequence
# that has given no number yet.
REACHED = (psycopg.errors.IntegrityError, psycopg.errors.DataError, psycopg.errors.ObjectNotInPrerequisiteState)
OWN_ROWS_ALONE = "row-level security policy"


def met(node, made):
    """{statement: what it met}: None where it was executed, else what Citus or PostgreSQL says.

    `node` is the worker of the organization whose seeded rows have the ids `made`. Each statement runs in every variant
    that is recorded, as every role until one may send it, in a transaction of its own that is rolled back. DENIED is
    one that no role may send.
    """
    connections = {role: node.connect(login) for role, login in ROLES.items()}
    for connection in connections.values():
        connection.row_factory = dict_row
    ids = {name: made[table] for name, table in NAMES.items()}
    found = {}
    for query in queries:
        asked = list(variants(query, ids)) or [typed(query)]
        found[query.name] = next(filter(None, (_met(connections, query, values, made) for values in asked)), None)
    for connection in connections.values():
        connection.close()
    return found


def _met(connections, query, values, made):
    for role, connection in connections.items():
        answer = _sent(connection, role, query, values, made)
        if answer != DENIED:
            return answer
    return DENIED


def _sent(connection, role, query, values, made):
    try:
        with connection.transaction(force_rollback=True), queries.on(connection):
            _enter(connection, role, made)
            query(**values)
    except REACHED:
        return None
    except psycopg.errors.InsufficientPrivilege as error:
        return None if OWN_ROWS_ALONE in str(error) else DENIED
    except psycopg.Error as error:
        return error.diag.message_primary or str(error)
    return None


def _enter(connection, role, made):
    context = {
        "organization_id": made["organizations"],
        "user_id": made["users"],
        "invite_id": made["interview_invites"],
        "invite_token": "0" * 64,
        "template_id": made["interview_templates"],
    }
    for name, value in context.items():
        connection.execute("select set_config('app.' || %s, %s, true)", (name, str(value)))
    if role != ROLES[role]:
        connection.execute("select set_config('role', %s, true)", (role,))
