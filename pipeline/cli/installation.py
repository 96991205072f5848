"""The database and settings of a command.

Development starts an embedded server without `DATABASE_URL`.
"""

import configparser
import contextlib
import json
import os
import secrets
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import click
import plaster
import psycopg
from psycopg.conninfo import make_conninfo
from psycopg.rows import TupleRow

from pipeline.process.settings import Settings, SettingsError, check_production, check_url, load, with_secrets
from pipeline.process.settings.cells import HOME
from pipeline.process.settings.database_url import with_login
from pipeline.process.settings.secrets import write_once
from pipeline.process.settings.shipped import shipped

DATABASE = "pipeline"
# {login: the setting that holds its URL}.
LOGINS = {"pipeline_app": "database_url", "pipeline_forms": "database_forms_url", "pipeline_jobs": "database_jobs_url"}
STATISTICS = {"shared_preload_libraries": "pg_stat_statements", "pg_stat_statements.track_planning": "on"}
OwnerConnection = psycopg.Connection[TupleRow]


@dataclass(frozen=True)
class Access:
    """The owner's URL and the service's settings."""

    owner_url: str
    settings: Settings

    def connect(self, **options: Any) -> OwnerConnection:
        return psycopg.connect(self.owner_url, connect_timeout=5, **options)

    def cells(self) -> list["Access"]:
        """The Accesses to the further servers, by CELLS_FILE; raises SettingsError."""
        return [self.to_cell(name) for name in self.settings.cells if name != HOME]

    def to_cell(self, name: str) -> "Access":
        """The Access to a further server; raises SettingsError."""
        urls = self.settings.cells.get(name)
        if urls is None or not urls.owner:
            raise SettingsError(f"CELLS_FILE needs [{name}] with database_owner_url for this command")
        settings = replace(
            self.settings, database_url=urls.app, database_forms_url=urls.forms, database_jobs_url=urls.jobs
        )
        return Access(urls.owner, settings)

    def at(self, dbname: str) -> "Access":
        """The Access to another database of the server."""
        urls: Any = {name: make_conninfo(getattr(self.settings, name), dbname=dbname) for name in LOGINS.values()}
        settings = replace(self.settings, database_listen_url="", **urls)
        return Access(make_conninfo(self.owner_url, dbname=dbname), settings)


class Installation:
    """A configuration file, by default that of the environment; raises SettingsError."""

    def __init__(self, config: str | None) -> None:
        self.environ = with_secrets(os.environ)
        given = self.environ.get("DATA_DIR")
        self.data_folder = Path(given).absolute() if given else shipped(".data")
        in_checkout = shipped("development.ini").is_file()
        environment = self.environ.get("PIPELINE_ENVIRONMENT") or ("development" if in_checkout else "production")
        self.config = Path(config) if config else shipped(f"{environment}.ini")
        if not self.config.is_file():
            raise SettingsError(
                f"There is no configuration file {self.config}: PIPELINE_ENVIRONMENT is production or development, and "
                "PIPELINE_CONFIG or --config name a file of your own"
            )
        self.ini = _read(self.config)
        given = self.environ.get("PIPELINE_ENVIRONMENT") or self.ini.get("pipeline.environment")
        self.development = given == "development"
        if self.development and not in_checkout:
            raise SettingsError("Development needs a checkout of the repository; an installed wheel is for production")

    @staticmethod
    def log(line: str) -> None:
        """Print a line of progress: standard output has only a command's result."""
        click.echo(line, err=True)

    @contextlib.contextmanager
    def access(self, queue: bool = False) -> Iterator[Access]:
        """The Access during the block; `queue` requires Redis. May start development's servers."""
        with self._redis() if queue and self.development else contextlib.nullcontext(), self._database() as access:
            if queue and not access.settings.redis_url:
                raise SettingsError("Missing setting: set REDIS_URL (or pipeline.redis_url in the ini file)")
            yield access

    @contextlib.contextmanager
    def _redis(self) -> Iterator[None]:
        if self.environ.get("REDIS_URL") or self.ini.get("pipeline.redis_url"):
            yield
            return
        from development.redis import EmbeddedRedis

        with EmbeddedRedis(self.data_folder / "redis", self.log) as server:
            self.environ["REDIS_URL"] = server.url()
            yield

    @contextlib.contextmanager
    def _database(self) -> Iterator[Access]:
        given = self.environ.get("DATABASE_URL") or self.ini.get("pipeline.settings.database_url")
        if not self.development:
            settings = load(self.ini, self.environ)
            check_production(settings)
            owner_url = self.environ.get("DATABASE_OWNER_URL") or settings.database_url
            check_url("DATABASE_OWNER_URL", owner_url)
            yield Access(owner_url, settings)
        elif given:
            check_url("DATABASE_URL", given)
            yield self._development(given, self._secrets()["database_password"])
        else:
            with self._embedded() as owner_url:
                yield self._development(owner_url, "")

    def _development(self, owner_url: str, password: str) -> Access:
        environ = {"JWT_SECRET": self._secrets()["jwt_secret"], **self.environ}
        environ |= {setting.upper(): with_login(owner_url, login, password) for login, setting in LOGINS.items()}
        if not environ.get("SIGNING_CERTIFICATE"):
            from pipeline.signing.sealing.certificates import made_in

            store, public = made_in(self.data_folder / "signing")
            environ |= {"SIGNING_CERTIFICATE": str(store), "SIGNING_KNOWN_CERTIFICATES": str(public)}
        return Access(owner_url, load(self.ini, environ))

    @contextlib.contextmanager
    def _embedded(self) -> Iterator[str]:
        from development.postgres import EmbeddedPostgres

        with EmbeddedPostgres(self.data_folder / "postgres", self.log, settings=STATISTICS) as server:
            with psycopg.connect(server.url(), autocommit=True) as connection:
                known = "select from pg_database where datname = %s"
                if connection.execute(known, (DATABASE,)).fetchone() is None:
                    with contextlib.suppress(psycopg.errors.DuplicateDatabase):
                        connection.execute(f"create database {DATABASE}")
            # Another command may create it at the same time.
            with (
                psycopg.connect(server.url("postgres", DATABASE), autocommit=True) as connection,
                contextlib.suppress(psycopg.errors.UniqueViolation),
            ):
                connection.execute("create extension if not exists pg_stat_statements")
            yield server.url("postgres", DATABASE)

    def _secrets(self) -> dict[str, str]:
        file = self.data_folder / "secrets.json"
        if not file.exists():
            self.data_folder.mkdir(parents=True, exist_ok=True)
            made = {"jwt_secret": secrets.token_hex(32), "database_password": secrets.token_urlsafe(24)}
            write_once(file, json.dumps(made).encode())
        return json.loads(file.read_text())


def _read(file: Path) -> Mapping[str, str]:
    try:
        return plaster.get_settings(str(file), "app:main")
    except (configparser.Error, UnicodeDecodeError, OSError) as error:
        reason = " ".join(str(error).split())
        raise SettingsError(f"The configuration file {file} cannot be read: {reason}") from None
