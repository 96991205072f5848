"""The Celery application of a queue."""

import threading
from collections.abc import Sequence
from datetime import UTC, datetime
from importlib import import_module
from typing import Any

import psycopg
import structlog
from celery import Celery, Task, bootsteps
from celery.beat import EmbeddedService, Scheduler
from celery.signals import setup_logging
from celery.worker import WorkController
from celery.worker.consumer import Consumer
from celery.worker.state import maybe_shutdown, reserved_requests
from kombu import Connection as BrokerConnection
from kombu.asynchronous import Hub
from kombu.asynchronous.timer import Entry

from pipeline.changes.webhooks.following import Following
from pipeline.changes.webhooks.sending import send
from pipeline.database import Database
from pipeline.process.settings import Settings
from pipeline.process.settings.cells import HOME
from pipeline.process.settings.shipped import PACKAGE
from pipeline.worker import jobs
from pipeline.worker.delivery import deliver
from pipeline.worker.queues import MAIL, WEBHOOKS, Queue
from pipeline.worker.relay import Relay

# Longer than any task; a lease in the outbox is far shorter.
VISIBILITY_SECONDS = 3600
RECONNECT_SECONDS = 0.5
LONG_AGO = datetime(2000, 1, 1, tzinfo=UTC)

log = structlog.get_logger("pipeline.worker")


def make_app(settings: Settings, database: Database, queue: Queue) -> Celery:
    """The Celery application of a Queue, with the jobs login's pool."""
    app = Celery("pipeline", broker=settings.redis_url, set_as_current=False)
    app.conf.update(
        task_default_queue=queue.key,
        task_acks_late=True,
        task_reject_on_worker_lost=True,
        # Else publishing waits for Redis.
        task_ignore_result=True,
        worker_prefetch_multiplier=1,
        worker_pool="threads",
        worker_concurrency=queue.places,
        worker_consumer=SteadyConsumer,
        worker_enable_remote_control=False,
        worker_cancel_long_running_tasks_on_connection_loss=False,
        broker_connection_retry_on_startup=True,
        broker_connection_max_retries=None,
        broker_transport_options={
            "visibility_timeout": VISIBILITY_SECONDS,
            "unacked_restore_interval": 5,
            "unacked_restore_throttle": 1,
            "socket_timeout": 5,
            "socket_connect_timeout": 3,
        },
        beat_schedule={f"every {seconds} seconds": _beat(seconds) for seconds in jobs.INTERVALS},
    )
    _add_tasks(app, settings, database)
    app.steps["worker"].add(RelayStep)
    if queue.name == MAIL:
        app.steps["worker"].add(BeatStep)
    if queue.name == WEBHOOKS:
        app.steps["worker"].add(FollowingStep)
    app.settings, app.queue, app.database = settings, queue, database
    return app


def _beat(seconds: int) -> dict[str, Any]:
    return {
        "task": "jobs",
        "args": [seconds],
        "schedule": seconds,
        # Due at once, to catch up.
        "last_run_at": LONG_AGO,
        "options": {"expires": seconds, "retry": False},
    }


def _add_tasks(app: Celery, settings: Settings, database: Database) -> None:
    @app.task(name="deliver")
    def deliver_task(organization_id: int, outbox_id: int) -> None:
        try:
            deliver(database, settings, organization_id, outbox_id)
        except psycopg.OperationalError as error:
            log.warning("delivery interrupted", outbox_id=outbox_id, error=str(error))

    @app.task(name="send", bind=True)
    def send_task(task: Task, organization_id: int, delivery_id: int) -> None:
        request_id = task.request.get("request_id")
        with structlog.contextvars.bound_contextvars(organization_id=organization_id, request_id=request_id):
            try:
                send(database, settings, organization_id, delivery_id)
            except psycopg.OperationalError as error:
                log.warning("webhook interrupted", delivery_id=delivery_id, error=str(error))

    @app.task(name="jobs")
    def jobs_task(seconds: int) -> None:
        try:
            jobs.run_every(database, settings, seconds)
        except psycopg.OperationalError as error:
            log.warning("jobs interrupted", error=str(error))


def import_effects() -> None:
    """Import every `tasks.py`, which registers its handlers."""
    for path in sorted(PACKAGE.rglob("tasks.py")):
        import_module(".".join(["pipeline", *path.relative_to(PACKAGE).with_suffix("").parts]))


@setup_logging.connect
def _keep_logging(**_arguments: object) -> None:
    """Stops Celery from configuring the logs."""


class SteadyConsumer(Consumer):
    """Looks for a lost broker twice a second, and reconnects after a lost acknowledgement.

    Otherwise Celery's pauses grow, and the prefetch limit fills up.
    """

    lost: set[str] = set()
    looking: Entry | None = None

    def register_with_event_loop(self, hub: Hub) -> None:
        """Start the check of a new connection."""
        super().register_with_event_loop(hub)
        if self.looking:
            self.looking.cancel()
        self.lost = set()
        self.looking = hub.call_repeatedly(RECONNECT_SECONDS, self.find_lost_acknowledgements)

    def find_lost_acknowledgements(self) -> None:
        """Raise ConnectionError for a message without a task in two checks."""
        qos = self.task_consumer.channel.qos
        held = {request.message.delivery_tag for request in list(reserved_requests)}
        lost = set(qos._delivered) - set(qos._dirty) - held
        if lost & self.lost:
            raise ConnectionError("An acknowledgement was lost with the connection to Redis.")
        self.lost = lost

    def ensure_connected(self, conn: BrokerConnection) -> BrokerConnection:
        """Connect `conn`, without a time limit."""
        failures: list[Exception] = []

        def tell(error: Exception, _interval: float) -> None:
            if not failures:
                log.warning("worker waits for Redis", error=str(error))
            failures.append(error)

        connected = conn.ensure_connection(
            tell,
            None,
            interval_start=RECONNECT_SECONDS,
            interval_step=0,
            interval_max=RECONNECT_SECONDS,
            callback=maybe_shutdown,
        )
        self.first_connection_attempt = False
        return connected


class RelayStep(bootsteps.StartStopStep):
    """Relays the outbox."""

    requires = {"celery.worker.components:Pool"}

    def create(self, worker: WorkController) -> "CellThreads":
        app = worker.app
        settings = app.settings
        task = "send" if app.queue.name == WEBHOOKS else "deliver"
        home = settings.database_listen_url or settings.database_jobs_url
        others = [cell.jobs for cell in settings.cells.values() if cell.name != HOME]
        listens = bool(settings.database_listen_url)

        def publish(organization_id: int, id: int, request_id: str | None) -> None:
            app.send_task(task, [organization_id, id], headers={"request_id": request_id}, retry=False)

        return CellThreads([Relay(url, settings.redis_url, app.queue, publish, listens) for url in (home, *others)])


class FollowingStep(bootsteps.StartStopStep):
    """Creates webhook deliveries."""

    requires = {"celery.worker.components:Pool"}

    def create(self, worker: WorkController) -> "CellThreads":
        return CellThreads([Following(cell, worker.app.settings) for cell in worker.app.database.cells])


class CellThreads:
    """One thread for each cell, so that one that is away delays no other."""

    def __init__(self, threads: Sequence[Relay | Following]) -> None:
        self.threads = threads

    def start(self) -> None:
        for thread in self.threads:
            thread.start()

    def stop(self) -> None:
        for thread in self.threads:
            thread.stop()


class BeatStep(bootsteps.StartStopStep):
    """Celery beat without a file: repeated jobs are harmless."""

    requires = {"celery.worker.components:Pool"}

    def create(self, worker: WorkController) -> threading.Thread:
        return EmbeddedService(worker.app, thread=True, scheduler_cls=Scheduler)

    def stop(self, worker: WorkController) -> None:
        """Stop the thread without a wait: Redis may be away."""
        self.obj.service.stop()
