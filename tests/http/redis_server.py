"""A Redis that tests can stop, freeze and restart."""

import contextlib
import signal
import subprocess

import redis

from development.ports import free_port
from development.redis import binary
from tests.waiting import SECONDS, wait_until


class RedisServer:
    """A server on a port of its own, in memory only; `url` is where it listens."""

    def __init__(self):
        self.port = free_port()
        self.url = f"redis://127.0.0.1:{self.port}/0"
        self.process = None

    def start(self):
        """Return when it answers; with what it counted before, if it still runs."""
        if self.process is None:
            options = ["--port", str(self.port), "--bind", "127.0.0.1", "--save", "", "--appendonly", "no"]
            self.process = subprocess.Popen([binary(), *options], stdout=subprocess.DEVNULL)
        wait_until(self.answers)

    def answers(self):
        """Whether it does."""
        with contextlib.suppress(redis.RedisError), redis.Redis.from_url(self.url, socket_timeout=5) as client:
            return client.ping()

    def stop(self):
        """End it; what it counted is gone."""
        if self.process is not None:
            self.process.kill()
            self.process.wait(SECONDS)
            self.process = None

    @contextlib.contextmanager
    def frozen(self):
        """Running, connected, and silent."""
        self.process.send_signal(signal.SIGSTOP)
        try:
            yield
        finally:
            self.process.send_signal(signal.SIGCONT)
