"""Handlers of the tests; `python -m tests.worker.handlers QUEUE` is a worker that has them, by the environment.

SWEEP_SECONDS there: how often its relay looks for events that nobody has told it of.

The effect of `test_effect` is a row in emails without a key, so that what is done twice counts twice.
"""

import logging
import os
import sys
import time

import structlog

from pipeline.database import effects, execution, queries
from pipeline.process.loading import without_garbage_collection

calls = []


def write(subject):
    """The effect: a row in emails."""
    queries.connection().execute(
        "insert into emails (from_email, to_email, subject) values ('us@x.example', 'them@x.example', %s)", [subject]
    )


@effects.effect("test_effect")
def handle(event):
    """Write a row; and what else the payload wants: take `seconds`, write separately, fail in one of three ways."""

    calls.append(event)
    if "seconds" in event.payload:
        print("busy", flush=True)
        time.sleep(float(event.payload["seconds"]))
    write(event.key)
    if "separate" in event.payload:
        with event.separate():
            write(f"separate {event.key}")
    if "raises" in event.payload:
        queries.outbox_insert(event="test_effect", key=event.payload["raises"], payload="{}")
    if "statement" in event.payload:
        execution.execute(queries.connection(), event.payload["statement"].encode(), ())
    if "refused" in event.payload:  # … stands for NUL, which no payload can hold
        raise effects.Refused(event.payload["refused"].replace("…", "\0"))
    if "fails" in event.payload:
        raise RuntimeError(event.payload["fails"])


@handle.gives_up
def give_up(event, error):
    """Write the reason; with `stubborn` in the payload fail at that too."""
    write(f"given up {event.key}: {error}")
    if "stubborn" in event.payload:
        raise RuntimeError("cannot even give up")


def main():
    with without_garbage_collection():
        from pipeline.cli import logs
        from pipeline.process.settings import load
        from pipeline.worker import relay
        from pipeline.worker.process import run

    logs.configure(development=False)
    # Also the jobs that had nothing to do.
    structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(logging.DEBUG))
    environ = dict(os.environ)
    relay.SWEEP_SECONDS = float(environ.pop("SWEEP_SECONDS", relay.SWEEP_SECONDS))
    sys.exit(run(load({}, environ), *sys.argv[1:]))


if __name__ == "__main__":
    main()
