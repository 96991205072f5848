"""Opens the pools of the database; `Database.of` and `Database.holding` give the one of an organization."""

from functools import partial
from typing import TYPE_CHECKING

import psycopg
import structlog

from pipeline.database.cells import Home
from pipeline.database.connections import APP, FORMS, POOL_TIMEOUT, START_SECONDS, Database, check_login
from pipeline.database.queries import queries
from pipeline.database.waiting import first_line, until_there
from pipeline.process.settings.cells import HOME

if TYPE_CHECKING:
    from pyramid.config import Configurator

    from pipeline.process.settings import Settings

log = structlog.get_logger(__name__)


def open_database(url: str, size: int, name: str = "other", patience: float = POOL_TIMEOUT) -> Database:
    """The pool of a URL; raises psycopg.OperationalError, LoginRefused."""
    return checked(Database(url, size, name, patience))


def open_cells(settings: "Settings", url: str, size: int, name: str) -> Database:
    """The pool of home, with those of the cells, if any. `name`: app, forms or jobs. Raises as `open_database`."""
    urls = {cell.name: getattr(cell, name) for cell in settings.cells.values() if cell.name != HOME}
    if not urls:
        return open_database(url, size, name)
    home = Home(url, size, name, urls, settings.cell_lag_seconds)
    checked(home)
    for cell in home.cells:
        try:
            check_login(cell)
        except psycopg.OperationalError as error:
            # Its organizations wait; the others do not.
            log.warning("cell is away", cell=cell.cell, error=first_line(error))
    home.start()
    return home


def checked(database: Database) -> Database:
    """The pool, if row-level security binds its login."""
    try:
        check_login(database)
    except BaseException:
        database.close()
        raise
    return database


def includeme(config: "Configurator") -> None:
    """Open `registry.app` (callers) and `registry.forms` (prospects)."""
    settings = config.registry.pipeline
    queries.reload = settings.environment == "development"
    for name, url in ((APP, settings.database_url), (FORMS, settings.database_forms_url)):
        opened = partial(open_cells, settings, url, settings.database_pool, name)
        setattr(config.registry, name, until_there("PostgreSQL", opened, START_SECONDS))
