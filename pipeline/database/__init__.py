"""The data layer: pools, transactions, the named queries of `sql/`, and migrations."""

from pipeline.database.connections import CHANGES as CHANGES
from pipeline.database.connections import START_SECONDS as START_SECONDS
from pipeline.database.connections import Connection as Connection
from pipeline.database.connections import Database as Database
from pipeline.database.connections import LoginRefused as LoginRefused
from pipeline.database.connections import Transaction as Transaction
from pipeline.database.connections import check_login as check_login
from pipeline.database.connections import is_pooled as is_pooled
from pipeline.database.execution import never_prepare as never_prepare
from pipeline.database.meter import meter as meter
from pipeline.database.nodes import NotDistributed as NotDistributed
from pipeline.database.nodes import includeme as includeme
from pipeline.database.nodes import is_distributed as is_distributed
from pipeline.database.nodes import open_database as open_database
from pipeline.database.nodes import url_of as url_of
from pipeline.database.queries import Queries as Queries
from pipeline.database.queries import Row as Row
from pipeline.database.queries import dumps as dumps
from pipeline.database.queries import loads as loads
from pipeline.database.queries import queries as queries
from pipeline.database.rows import sure as sure
