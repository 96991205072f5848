"""`pipeline distribute`: a database on several servers with Citus (docs/citus.md)."""
