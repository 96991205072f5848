"""The worker: relays the outbox to Celery, delivers events and runs periodic jobs.

The handlers of events are in the packages' `tasks.py` (see `pipeline.database.effects`).
"""
