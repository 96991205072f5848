"""The worker: relays the outbox to Celery, delivers events, and does what is done by time.

`queues` says which queues there are, `app` makes the Celery application of one, `relay` hands due events to it,
`delivery` works one off, `jobs` holds the periodic work, `process` runs it all for one queue until it is told to stop,
and `fleet` runs a process for each. What is done about an event stands in the `tasks.py`
of the packages (see `pipeline.database.effects`).
"""
