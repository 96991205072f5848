"""`pipeline distribute`: a database on several servers with Citus (docs/citus.md)."""

from pipeline.database.cluster.distribution import SHARDS as SHARDS
from pipeline.database.cluster.distribution import Refused as Refused
from pipeline.database.cluster.distribution import distribute as distribute
