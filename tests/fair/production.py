"""The service as it runs in production, in processes of its own."""

import contextlib
import sys

import psutil

from tests.chaos.processes import Program
from tests.chaos.system import System


class Worker(Program):
    """`pipeline worker`, as an operator runs it."""

    def __init__(self, folder, environ):
        super().__init__("worker", folder, [sys.executable, "-m", "pipeline", "worker"], environ)

    def is_ready(self):
        return "ready." in self.printed()


class Production(System):
    """The service with one worker, its limits at their defaults; tokens outlast the experiment."""

    def __init__(self, folder, mail_url):
        settings = {"RATE_LIMIT_FACTOR": "1", "MAIL_TIMEOUT": "30", "ACCESS_TOKEN_MINUTES": "600"}
        super().__init__(folder, mail_url, fsync="everysec", **settings)
        self.worker = Worker(folder, self.environ)
        self.workers = [self.worker]


def is_rendering(program):
    """Whether documents are being made: each in a process of its own below a renderer."""
    with contextlib.suppress(psutil.Error):
        return any(renderer.children() for renderer in program.renderers())
    return True
