"""Pools, transactions, named queries and migrations."""

from pipeline.database.connections import (
    APP,
    FORMS,
    START_SECONDS,
    Connection,
    Database,
    LoginRefused,
    Transaction,
    check_login,
    is_pooled,
    leave_role,
    not_none,
    savepoint,
)
from pipeline.database.execution import meter, never_prepare
from pipeline.database.nodes import includeme, open_cells, open_database
from pipeline.database.queries import Queries, Row, dumps, loads, queries
