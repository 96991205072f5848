"""`pipeline distribute`: a database on several servers with Citus (docs/citus.md)."""

from pipeline.cluster.distribution import SHARDS as SHARDS
from pipeline.cluster.distribution import Refused as Refused
from pipeline.cluster.distribution import distribute as distribute
