"""The worker: relays the outbox to Celery, delivers events and runs jobs."""
