"""`pipeline doctor`: checks of the installation."""

from contextlib import closing
from functools import partial

import click
import psycopg
import redis

from pipeline import mail
from pipeline.cli.accounts import check_administrator
from pipeline.cli.cell_servers import check_cells
from pipeline.cli.checks.drift import check_drift
from pipeline.cli.checks.leftovers import check_leftovers
from pipeline.cli.checks.ready import why_unusable
from pipeline.cli.checks.report import Report
from pipeline.cli.checks.tables import confinement, leaky, on, statistics
from pipeline.cli.failures import Failure, explained
from pipeline.cli.installation import LOGINS, Access, Installation
from pipeline.database import Database, check_login, is_pooled, not_none, queries, revisions
from pipeline.documents.characters import fonts
from pipeline.documents.processes import converter
from pipeline.process.settings import Settings, SettingsError
from pipeline.signing.sealing import certificates

OLDEST_SERVER = 150000
EXTENSIONS = ("btree_gin", "pg_trgm", "unaccent")
# The exact roles of each login.
ROLES = {
    "pipeline_app": {"pipeline_member", "pipeline_admin"},
    "pipeline_forms": {"pipeline_public"},
    "pipeline_jobs": set(),
}
# Settings from migrations. A login can change its own settings, so others are suspicious.
SETTINGS = {
    "search_path",
    "TimeZone",
    "plan_cache_mode",
    "jit",
    "max_parallel_workers_per_gather",
    "random_page_cost",
    "statement_timeout",
    "lock_timeout",
    "idle_in_transaction_session_timeout",
}
SEARCH_PATH = "search_path=app, extensions, pg_catalog, pg_temp"
NEARLY_FULL = 0.9
MIB = 1024 * 1024


@click.command()
@click.option("--files", "digests", is_flag=True, help="Also read each stored file and compare its SHA-256 hash.")
@click.pass_obj
@click.pass_context
def doctor(context: click.Context, installation: Installation, digests: bool) -> None:
    """Check settings, database, schema and logins. The exit code is 1 when you have to act."""
    report = Report()
    try:
        with installation.access(queue=True) as access:
            report.check("settings", lambda: f"{installation.config.name}, complete")
            check_database(report, access, digests)
            report.check("leftovers", lambda: check_leftovers(access))
            report.check("redis", lambda: _redis(access.settings.redis_url))
            report.check("mail", lambda: _mail(access.settings))
            report.check("fonts", _fonts)
            report.check("converter", _converter)
            report.check("signing", lambda: _signing(access.settings))
    except Exception as error:
        name = "settings" if isinstance(error, SettingsError) else "database"
        report.print_line(False, name, explained(error).message)
    context.exit(0 if report.sound else 1)


def check_database(report: Report, access: Access, digests: bool = False) -> None:
    """Check the database; `digests`: also stored files."""
    if not report.check("database", lambda: _server(access)):
        return
    if report.check("schema", lambda: _schema(access)):
        report.check("extensions", lambda: _extensions(access))
        report.check("addresses", lambda: _addresses(access))
        report.check("listening", lambda: _listening(access.settings))
        report.check("storage", lambda: _storage(access))
        report.check("files", lambda: _files(access, digests))
        for login, setting in LOGINS.items():
            report.check(login, partial(_login, getattr(access.settings, setting), login))
        report.check("row-level security", lambda: on(access, confinement))
        report.check("statistics", lambda: on(access, statistics))
        report.check("leaky conditions", lambda: on(access, leaky))
        report.check("drift", lambda: check_drift(access))
        if access.settings.cells:
            report.check("cells", lambda: check_cells(access))
    if access.owner_url != access.settings.database_url:
        report.check("administration", lambda: _administration(access))


def _server(access: Access) -> str:
    with access.connect() as connection:
        version = connection.info.server_version
        encoding = connection.info.parameter_status("server_encoding")
        if version < OLDEST_SERVER:
            raise Failure(f"PostgreSQL {version // 10000} is too old; use 15 or newer.")
        if encoding != "UTF8":
            raise Failure(f"The encoding is {encoding}; create the database with encoding UTF8.")
        return f"PostgreSQL {version // 10000}.{version % 10000}, {encoding}"


def _schema(access: Access) -> str:
    with access.connect() as connection:
        found, needed = revisions.schema_state(connection), revisions.head()
    if not found.is_usable_by(needed):
        raise Failure(why_unusable(found.revision, needed))
    if found.revision != needed:
        return f"at {found.revision}, newer than this release's {needed}, which it still serves"
    return f"at {needed}, as this release needs"


def _extensions(access: Access) -> str:
    with access.connect() as connection, queries.on(connection):
        missing = set(EXTENSIONS) - {row["name"] for row in queries.extension_names()}
    if missing:
        names = ", ".join(sorted(missing))
        raise Failure(f"missing: {names}; as a superuser: create extension … schema extensions.")
    return ", ".join(EXTENSIONS)


def _addresses(access: Access) -> str:
    with access.connect() as connection, queries.on(connection):
        found = ", ".join(row["addresses"] for row in queries.accounts_doubtful())
    if found:
        raise Failure(f"not ASCII, or like another account's: {found}; see docs/accounts.md, Addresses of accounts.")
    return "those of all accounts are unique and ASCII"


def _login(url: str, expected: str) -> str:
    with psycopg.connect(url, connect_timeout=5) as connection, queries.on(connection):
        login = connection.info.user
        roles = {row["name"] for row in queries.login_roles()}
        configured = [row["setting"] for row in queries.login_settings()]
        pooled = ", through a pooler" if is_pooled(connection) else ""
    with closing(Database(url, 1)) as database:
        check_login(database)
    may, should = (", ".join(sorted(names)) or "no other role" for names in (roles, ROLES[expected]))
    if may != should:
        raise Failure(f"the login {login} may become {may}; it should be {expected}, which may become {should}.")
    if login != expected and not roles:
        raise Failure(f"the login is {login}; it should be {expected}.")
    strange = [setting for setting in configured if setting.partition("=")[0] not in SETTINGS]
    strange += [setting for setting in configured if setting.startswith("search_path=") and setting != SEARCH_PATH]
    if strange:
        raise Failure(f"the login {login} has a setting of its own, {strange[0]}; see docs/stolen-login.md.")
    return f"may become {may}, is bound by row-level security{pooled}"


def _listening(settings: Settings) -> str:
    url = settings.database_listen_url or settings.database_jobs_url
    with psycopg.connect(url, connect_timeout=5) as connection:
        if not is_pooled(connection):
            return "PostgreSQL notifies the worker of events"
    if settings.database_listen_url:
        return "PostgreSQL notifies the worker of events if the pooler of DATABASE_LISTEN_URL is in session mode"
    raise Failure("DATABASE_JOBS_URL leads through a pooler; let DATABASE_LISTEN_URL lead to the server itself.")


def _storage(access: Access) -> str:
    quota = access.settings.storage_quota_mib
    with access.connect() as connection, queries.on(connection):
        stored = not_none(queries.file_storage_total())
    total, largest = stored["bytes"] // MIB, stored["largest"] // MIB
    if quota and largest >= quota * NEARLY_FULL:
        raise Failure(f"an organization's files have {largest} of {quota} MiB; see docs/operations.md, Storage.")
    return f"{total} MiB in all, {largest} for one organization, of {quota or 'any number of'}"


def _files(access: Access, digests: bool) -> str:
    with access.connect() as connection, queries.on(connection):
        connection.execute("set statement_timeout = 0")
        damaged = list(queries.files_damaged(digests=digests or None))
    if damaged:
        names = ", ".join(f"{file['id']} of organization {file['organization_id']}" for file in damaged)
        raise Failure(f"stored content does not match its size or SHA-256: file {names}; restore it from a backup.")
    return (
        "sizes and SHA-256 of all files are right"
        if digests
        else "sizes of all files are right; --files checks SHA-256"
    )


def _mail(settings: Settings) -> str:
    mail.check(settings)
    return "kept and logged, not sent" if settings.mail_transport == "log" else "sent by SMTP"


def _fonts() -> str:
    if missing := fonts.missing_scripts():
        raise Failure(f"no font prints {', '.join(missing)}; install Debian's {fonts.PACKAGES}.")
    return ", ".join(fonts.SCRIPTS)


def _converter() -> str:
    if converter.is_missing():
        raise Failure(f"Word files cannot be templates; install Debian's {converter.PACKAGE}.")
    return "LibreOffice makes PDFs of Word files"


def _signing(settings: Settings) -> str:
    try:
        return certificates.check(settings)
    except certificates.Unusable as error:
        raise Failure(str(error)) from None


def _redis(url: str) -> str:
    try:
        with redis.Redis.from_url(url, socket_timeout=5, socket_connect_timeout=5) as client:
            information = client.info("server") | client.info("memory")
    except (redis.RedisError, ValueError) as error:
        # The URL may hold a password.
        raise Failure(f"REDIS_URL cannot be used: {error}") from None
    if information["maxmemory_policy"] != "noeviction":
        raise Failure(
            f"maxmemory-policy is {information['maxmemory_policy']}; set noeviction, or a full server loses tasks."
        )
    return f"version {information['redis_version']}"


def _administration(access: Access) -> str:
    with access.connect() as connection, queries.on(connection):
        check_administrator()
        return f"{connection.info.user} can create organizations and users"
