import contextlib
import os
import shutil
import signal
import subprocess

import redis

from development.account import choose_account
from development.ports import free_port
from development.postgres import EmbeddedPostgres
from development.redis import binary as redis_binary
from development.supervisor import environment
from experiments.chaos.processes import ROOT, START_SECONDS, Program, Web, Worker, wait_until
from pipeline.database import migrations
from pipeline.signing.sealing.certificates import made_in


class Redis(Program):
    """A server that writes down all it is told, so that it may lose its data or keep them; `fsync` says when."""

    def __init__(self, folder, fsync):
        self.data, self.port = folder / "redis", free_port()
        self.data.mkdir()
        options = {"bind": "127.0.0.1", "port": self.port, "dir": self.data, "appendonly": "yes", "save": ""}
        options["appendfsync"] = fsync
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
        self.process.send_signal(signal.SIGSTOP if frozen else signal.SIGCONT)


class Postgres(Program):
    """A durable server, without the keeper that would start it again by itself."""

    def __init__(self, folder):
        self.server = EmbeddedPostgres(folder / "postgres")
        self.server.folder.mkdir()
        self.account = choose_account(self.server.data, self.server.program)
        self.server.prepare(self.account)
        super().__init__("postgres", folder, [], environment())

    def url(self, login="postgres"):
        return self.server.url(login)

    def start(self):
        words = self.server.program, *self.server.command()
        self.command = self.account.command(self.server.data, *words, end_signal="INT")
        super().start()

    def start_and_wait(self):
        """Return when it answers. The backends that outlive a killed server refuse its first starts."""

        def answers():
            if not self.is_running():
                self.start()
            return self.server.is_ready()

        wait_until(answers, START_SECONDS, "PostgreSQL answers")

    def kill(self):
        """SIGKILL for the server, not for its backends, which notice by themselves."""
        if self.process is not None:
            self.process.kill()
            self.process.wait(30)

    def close(self):
        if self.process is not None:
            self.process.send_signal(signal.SIGQUIT)
            with contextlib.suppress(subprocess.TimeoutExpired):
                self.process.wait(10)
            self.kill()


def production(database_url, redis_url, mail_url, root=ROOT):
    """The settings (environment) of code in `root`; nobody's token runs out while a story lasts."""
    return {
        "PATH": os.environ["PATH"],
        "PYTHONPATH": str(root),
        "PYTHONWARNINGS": "ignore",
        "PIPELINE_ENVIRONMENT": "production",
        "DATABASE_URL": database_url,
        "REDIS_URL": redis_url,
        "JWT_SECRET": "a secret of the tests, long enough for HS256",
        "PUBLIC_URL": "https://pipeline.example",
        "SMTP_URL": mail_url,
        "MAIL_FROM": "Pipeline <mail@pipeline.example>",
        "RATE_LIMIT_FACTOR": "100000",
        "ACCESS_TOKEN_MINUTES": "600",
    }


class Servers:
    """`postgres`, `redis`, and `programs` of the service; a context manager that ends each, whatever happens."""

    programs = ()

    def __enter__(self):
        try:
            self.postgres.start_and_wait()
            self.migrate()
            self.redis.start_and_wait()
            self.start(*self.programs)
        except BaseException:
            self.__exit__()
            raise
        return self

    def __exit__(self, *_failure):
        for program in (*self.programs, self.redis):
            program.kill()
        self.postgres.close()

    def migrate(self):
        migrations.upgrade(self.postgres.url())

    def start(self, *programs):
        """Start programs side by side, and return when all are ready."""
        for program in programs:
            program.start()
        for program in programs:
            wait_until(program.is_ready, START_SECONDS, f"{program.name} is ready")


class System(Servers):
    """All of them, in `folder`. fsync: Redis' `appendfsync`. settings: environment variables."""

    def __init__(self, folder, mail_url, fsync="always", **settings):
        self.postgres, self.redis = Postgres(folder), Redis(folder, fsync)
        certificate, public = made_in(folder / "signing")
        self.environ = production(self.postgres.url("pipeline_app"), self.redis.url, mail_url) | {
            # What the mail server has taken it answers in time, also on a machine that is busy with other tests.
            "MAIL_TIMEOUT": "10",
            "WEBHOOK_ALLOW_PRIVATE": "true",
            "SIGNING_CERTIFICATE": str(certificate),
            "SIGNING_KNOWN_CERTIFICATES": str(public),
            **settings,
        }
        self.web = Web(folder, self.environ)
        names = ("mail1", "mail2", "documents1", "webhooks1", "webhooks2")
        self.workers = [Worker(name, folder, self.environ, queue=name[:-1]) for name in names]

    @property
    def programs(self):
        return (self.web, *self.workers)
