"""pipeline/api/openapi/examples.json: a real request and answer for every operation; a test keeps it fresh.

    python -m tests.examples

writes the file by telling a story (story.py) to an application with a database of its own.
"""

import logging
from pathlib import Path
from tempfile import TemporaryDirectory

import structlog

from development.postgres import EmbeddedPostgres
from tests.examples.run import FILE, run

if __name__ == "__main__":
    # Hundreds of lines about requests that succeed would hide the reason of a failure.
    structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(logging.WARNING))
    with TemporaryDirectory() as folder, EmbeddedPostgres(Path(folder) / "postgres", durable=False) as server:
        FILE.write_text(run(server.url, "examples"))
