"""The service's processes, as an operator runs them, to be killed and started again."""

import contextlib
import os
import random
import shutil
import signal
import socket
import subprocess
import sys
import time
import urllib.request
from pathlib import Path

import psutil
import redis

from pipeline import migrations
from pipeline.development import launch
from pipeline.development.account import choose_account
from pipeline.development.postgres import EmbeddedPostgres
from pipeline.development.redis import binary as redis_binary
from pipeline.development.supervisor import environment

ROOT = Path(__file__).resolve().parents[2]
START_SECONDS = 60


def fixed_port():
    """A free port of 127.0.0.1 that stays ours while nobody listens: the system gives it to no connection."""
    while True:
        port = random.SystemRandom().randrange(20_000, 32_000)
        with socket.socket() as probe, contextlib.suppress(OSError):
            probe.bind(("127.0.0.1", port))
            return port


def wait_until(condition, seconds, what):
    """Return when `condition()` is true; the seconds it took."""
    start = time.monotonic()
    while not condition():
        assert time.monotonic() - start < seconds, f"{what}, not within {seconds} s"
        time.sleep(0.02)
    return time.monotonic() - start


class Program:
    """A program in a process group of its own, which ends with this process; `log` (Path) is what it prints."""

    def __init__(self, name, folder, command, environ, end_signal="KILL"):
        self.name, self.log, self.environ = name, folder / f"{name}.log", environ
        begin = [sys.executable, "-I", "-S", launch.__file__, end_signal, "same", "0", "0", str(ROOT)]
        self.command = [*begin, *map(str, command)]
        self.process = None

    def start(self):
        """Start it; it may take a while until `is_ready()`."""
        self.begins_at = self.log.stat().st_size if self.log.exists() else 0
        with self.log.open("a") as log:
            options = {"stdout": log, "stderr": log, "stdin": subprocess.DEVNULL, "start_new_session": True}
            self.process = subprocess.Popen(self.command, env=self.environ, **options)

    def is_running(self):
        return self.process is not None and self.process.poll() is None

    def kill(self):
        """SIGKILL for it and all it has started."""
        if self.process is not None:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(self.process.pid, signal.SIGKILL)
            self.process.wait(30)

    def printed(self):
        """What it has printed since its start."""
        with self.log.open("rb") as log:
            log.seek(self.begins_at)
            return log.read().decode(errors="replace")

    def start_and_wait(self):
        """Return when it answers."""
        self.start()
        wait_until(self.is_ready, START_SECONDS, f"{self.name} is ready")


class Web(Program):
    """`pipeline serve` with two web processes on one port."""

    def __init__(self, folder, environ):
        self.port = fixed_port()
        environ = {**environ, "PORT": str(self.port), "WEB_WORKERS": "2"}
        super().__init__("web", folder, [sys.executable, "-m", "pipeline", "serve"], environ, "TERM")

    def is_ready(self):
        with contextlib.suppress(OSError):
            urllib.request.urlopen(f"http://127.0.0.1:{self.port}/healthz", timeout=5).close()
            return True
        return False

    def workers(self):
        """The psutil.Process objects of its web processes."""
        with contextlib.suppress(psutil.Error):
            return [child for child in psutil.Process(self.process.pid).children() if _is_worker(child)]
        return []


def _is_worker(process):
    with contextlib.suppress(psutil.Error):
        return process.status() != psutil.STATUS_ZOMBIE and "resource_tracker" not in " ".join(process.cmdline())
    return False


class Worker(Program):
    """`pipeline worker`."""

    def __init__(self, number, folder, environ):
        command = [sys.executable, "-m", "pipeline", "worker"]
        super().__init__(f"worker{number}", folder, command, environ)

    def is_ready(self):
        return "ready." in self.printed()


class Redis(Program):
    """A server that writes down all it is told, so that it may lose its data or keep them."""

    def __init__(self, folder):
        self.data, self.port = folder / "redis", fixed_port()
        self.data.mkdir()
        options = {"bind": "127.0.0.1", "port": self.port, "dir": self.data, "appendonly": "yes", "save": ""}
        options["appendfsync"] = "always"
        command = [word for name, value in options.items() for word in (f"--{name}", value)]
        super().__init__("redis-server", folder, [redis_binary(), *command], environment())
        self.url = f"redis://127.0.0.1:{self.port}/0"

    def is_ready(self):
        with contextlib.suppress(redis.RedisError), redis.Redis.from_url(self.url, socket_timeout=1) as client:
            return client.ping()
        return False

    def forget(self):
        """Lose all data, while it is stopped."""
        shutil.rmtree(self.data)
        self.data.mkdir()

    def freeze(self, frozen):
        """Let it be silent, or go on."""
        self.process.send_signal(signal.SIGSTOP if frozen else signal.SIGCONT)


class Postgres:
    """A durable server, without the keeper that would start it again by itself."""

    name = "postgres"

    def __init__(self, folder):
        self.server = EmbeddedPostgres(folder / "postgres")
        self.server.folder.mkdir()
        self.account = choose_account(self.server.data, self.server.program)
        self.server.prepare(self.account)
        self.process = None

    def url(self, login="postgres"):
        return self.server.url(login)

    def start_and_wait(self):
        """Return when it answers. Backends that outlive a killed server are waited for."""
        end = time.monotonic() + START_SECONDS
        while not self.server.is_ready():
            if self.process is None or self.process.poll() is not None:
                self._launch()
            assert time.monotonic() < end, self.server.log_file.read_text()[-3000:]
            time.sleep(0.05)

    def _launch(self):
        command = self.account.command(
            self.server.data, self.server.program, *self.server.command(), end_signal="INT"
        )
        with self.server.log_file.open("a") as log:
            options = {"stdout": log, "stderr": log, "stdin": subprocess.DEVNULL, "cwd": "/"}
            self.process = subprocess.Popen(command, env=environment(), start_new_session=True, **options)

    def kill(self):
        """SIGKILL for the server, not for its backends, which notice by themselves."""
        if self.process is not None:
            self.process.kill()
            self.process.wait(30)

    def close(self):
        """End it and its backends."""
        if self.process is not None:
            self.process.send_signal(signal.SIGQUIT)
            with contextlib.suppress(subprocess.TimeoutExpired):
                self.process.wait(10)
            self.kill()

    def backends(self):
        """The psutil.Process objects that serve the application's logins."""
        children = psutil.Process(self.process.pid).children()
        return [child for child in children if "pipeline_" in " ".join(_command_line(child))]


def _command_line(process):
    with contextlib.suppress(psutil.Error):
        return process.cmdline()
    return []


class System:
    """All of them, in `folder`; a context manager that ends each by its number, whatever happens."""

    def __init__(self, folder, mail_url, **settings):
        self.postgres, self.redis = Postgres(folder), Redis(folder)
        self.environ = {
            "PATH": os.environ["PATH"],
            "PYTHONPATH": str(ROOT),
            "PYTHONWARNINGS": "ignore",
            "PIPELINE_ENVIRONMENT": "production",
            "DATABASE_URL": self.postgres.url("pipeline_app"),
            "REDIS_URL": self.redis.url,
            "JWT_SECRET": "a secret of the tests, long enough for HS256",
            "PUBLIC_URL": "https://pipeline.example",
            "SMTP_URL": mail_url,
            "MAIL_FROM": "Pipeline <mail@pipeline.example>",
            "MAIL_TIMEOUT": "3",
            "RATE_LIMIT_FACTOR": "100000",
            **settings,
        }
        self.web = Web(folder, self.environ)
        self.workers = [Worker(number, folder, self.environ) for number in (1, 2)]

    def __enter__(self):
        try:
            self.postgres.start_and_wait()
            migrations.upgrade(self.postgres.url())
            self.redis.start_and_wait()
            for program in self.programs:
                program.start()
            for program in self.programs:
                wait_until(program.is_ready, START_SECONDS, f"{program.name} is ready")
        except BaseException:
            self.__exit__()
            raise
        return self

    def __exit__(self, *_failure):
        for program in (*self.programs, self.redis):
            program.kill()
        self.postgres.close()

    @property
    def programs(self):
        """The service's own processes."""
        return (self.web, *self.workers)
