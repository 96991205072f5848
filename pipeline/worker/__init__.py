"""The worker: relays the outbox to Celery, delivers events, and does what is done by time.

`app` makes the Celery application, `relay` hands due events to the queue, `delivery` works one off, `jobs` holds the
periodic work, `process` runs it all until it is told to stop. What is done about an event stands in the `tasks.py`
of the packages (see `pipeline.effects`).
"""
