"""Logs on standard error: text in development, JSON lines in production. They contain no tokens."""

import logging
import logging.config
import sys
from collections.abc import Callable
from typing import Any

import orjson
import structlog
from structlog.typing import Processor


def configure(development: bool) -> None:
    """Configure structlog and logging for this process."""
    logging.config.dictConfig(standard(development))
    structlog.configure(
        processors=[*_shared(), *_final(development)],
        wrapper_class=structlog.make_filtering_bound_logger(logging.INFO),
        logger_factory=structlog.WriteLoggerFactory(sys.stderr),
        cache_logger_on_first_use=True,
    )


def standard(development: bool) -> dict[str, Any]:
    """The configuration of the standard library's logging."""
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
        # These repeat logged errors or results, or log paths of gone clients.
        "loggers": {
            "alembic.runtime.migration": {"level": "WARNING"},
            "pikepdf": {"level": "WARNING"},
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
    # Other tracebacks contain local variables, and so passwords and tokens.
    return [structlog.processors.ExceptionRenderer(), structlog.processors.JSONRenderer(_json)]


def _json(event: object, default: Callable[[Any], Any] = str, **_options: object) -> str:
    return orjson.dumps(event, default=default).decode()
