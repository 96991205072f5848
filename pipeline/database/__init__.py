"""The data layer: pools and transactions, the named queries of `sql/`, and the migrations that make their tables."""

from pipeline.database.connections import (
    CHANGES,
    START_SECONDS,
    Connection,
    Database,
    LoginRefused,
    Transaction,
    check_login,
    includeme,
    is_pooled,
)
from pipeline.database.execution import never_prepare
from pipeline.database.meter import meter
from pipeline.database.queries import Queries, Row, dumps, loads, queries
from pipeline.database.rows import sure

__all__ = [
    "CHANGES",
    "START_SECONDS",
    "Connection",
    "Database",
    "LoginRefused",
    "Queries",
    "Row",
    "Transaction",
    "check_login",
    "dumps",
    "includeme",
    "is_pooled",
    "loads",
    "meter",
    "never_prepare",
    "queries",
    "sure",
]
