"""A database over several servers: what `pipeline distribute` does with the extension Citus (docs/citus.md)."""

from pipeline.cluster.distribution import SHARDS as SHARDS
from pipeline.cluster.distribution import Refused as Refused
from pipeline.cluster.distribution import distribute as distribute
