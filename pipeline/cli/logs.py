"""Logs on standard error: for people in development, one JSON object a line in production.

structlog's lines and those of libraries that use the standard library's logging come out alike. `request_id`
is bound by `pipeline.http.ingress` and stands in every line that a request caused. Nobody logs a token: requests are
logged by the pattern of their route.
"""

import logging
import logging.config
import sys
from collections.abc import Callable
from typing import Any

import orjson
import structlog
from structlog.typing import Processor


def configure(development: bool) -> None:
    """Configure structlog and the standard library's logging for this process."""
    logging.config.dictConfig(standard(development))
    structlog.configure(
        processors=[*_shared(), *_final(development)],
        wrapper_class=structlog.make_filtering_bound_logger(logging.INFO),
        logger_factory=structlog.WriteLoggerFactory(sys.stderr),
        cache_logger_on_first_use=True,
    )


def standard(development: bool) -> dict[str, Any]:
    """The standard library's logging configuration, for servers that apply it themselves."""
    formatter = {
        "()": structlog.stdlib.ProcessorFormatter,
        "foreign_pre_chain": [*_shared(), structlog.stdlib.add_logger_name],
        "processors": [structlog.stdlib.ProcessorFormatter.remove_processors_meta, *_final(development)],
    }
    return {
        "version": 1,
        "disable_existing_loggers": False,
        "formatters": {"line": formatter},
        "handlers": {"stderr": {"class": "logging.StreamHandler", "formatter": "line"}},
        "root": {"level": "INFO", "handlers": ["stderr"]},
        # psycopg's pools log every attempt to reach a database that is away; its consequences are logged anyway.
        # Celery logs the start and end of every task; the worker logs their results itself, as `migrate` its revisions.
        # Waitress tells of the path of a request whose client has gone, and warns as soon as one waits for a thread.
        "loggers": {
            "alembic.runtime.migration": {"level": "WARNING"},
            "psycopg.pool": {"level": "ERROR"},
            "celery.app.trace": {"level": "WARNING"},
            "celery.beat": {"level": "WARNING"},
            "celery.worker.strategy": {"level": "WARNING"},
            "waitress": {"level": "WARNING"},
            "waitress.queue": {"level": "ERROR"},
        },
    }


def _shared() -> list[Processor]:
    return [
        structlog.contextvars.merge_contextvars,
        structlog.processors.add_log_level,
        structlog.processors.TimeStamper("iso", utc=True, key="time"),
    ]


def _final(development: bool) -> list[Processor]:
    if development:
        return [structlog.dev.ConsoleRenderer(colors=sys.stderr.isatty())]
    # A traceback as text: the local variables in other forms would bring passwords and tokens into the log.
    return [structlog.processors.ExceptionRenderer(), structlog.processors.JSONRenderer(_json)]


def _json(event: object, default: Callable[[Any], Any] = str, **_options: object) -> str:
    return orjson.dumps(event, default=default).decode()
