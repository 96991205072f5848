"""Every setting once: its name, its environment variable, its type and its default.

The ini files name a setting `pipeline.<name>`; the environment wins over them. A setting that nobody knows, that
cannot be read or that is missing stops the start with one line that says which.
"""

from dataclasses import dataclass, field, fields
from urllib.parse import urlsplit, urlunsplit

PREFIX = "pipeline."
REQUIRED = object()


class SettingsError(Exception):
    """A setting is unknown, unreadable or missing; the message names it."""


def setting(variable, default=REQUIRED):
    """A field that is read from an environment variable."""
    return field(metadata={"variable": variable, "default": default})


@dataclass(frozen=True)
class Settings:
    """The settings of one process, read once at the start."""

    database_url: str = setting("DATABASE_URL")
    database_forms_url: str = setting("DATABASE_FORMS_URL", "")
    database_pool: int = setting("DATABASE_POOL", 8)
    jwt_secret: str = setting("JWT_SECRET", "")
    jwt_algorithm: str = setting("JWT_ALGORITHM", "HS256")
    jwt_public_key: str = setting("JWT_PUBLIC_KEY", "")
    jwt_key_id: str = setting("JWT_KEY_ID", "1")
    jwt_retired_keys: str = setting("JWT_RETIRED_KEYS", "")
    jwt_issuer: str = setting("JWT_ISSUER", "pipeline")
    jwt_audience: str = setting("JWT_AUDIENCE", "pipeline-api")
    access_token_minutes: int = setting("ACCESS_TOKEN_MINUTES", 15)
    refresh_token_days: int = setting("REFRESH_TOKEN_DAYS", 30)
    session_days: int = setting("SESSION_DAYS", 90)  # a session ends then, however often it is refreshed
    public_url: str = setting("PUBLIC_URL", "http://127.0.0.1:6543")
    environment: str = setting("PIPELINE_ENVIRONMENT", "production")
    redis_url: str = setting("REDIS_URL", "")
    trusted_proxies: int = setting("TRUSTED_PROXIES", 0)
    rate_limit_factor: int = setting("RATE_LIMIT_FACTOR", 1)
    database_jobs_url: str = setting("DATABASE_JOBS_URL", "")
    worker_threads: int = setting("WORKER_THREADS", 4)
    worker_stop_seconds: int = setting("WORKER_STOP_SECONDS", 30)
    mail_transport: str = setting("MAIL_TRANSPORT", "")  # smtp or log; log in development, else smtp
    smtp_url: str = setting("SMTP_URL", "")
    mail_from: str = setting("MAIL_FROM", "")
    mail_timeout: int = setting("MAIL_TIMEOUT", 30)  # seconds for each answer of the mail server
    app_url: str = setting("APP_URL", "")  # where the links of notifications lead; PUBLIC_URL/api when empty
    # One document may use no more than this; so many are rendered at once by a process, the others wait.
    document_seconds: int = setting("DOCUMENT_SECONDS", 20)
    document_memory_mib: int = setting("DOCUMENT_MEMORY_MIB", 1024)
    document_output_mib: int = setting("DOCUMENT_OUTPUT_MIB", 32)
    document_pages: int = setting("DOCUMENT_PAGES", 300)
    document_processes: int = setting("DOCUMENT_PROCESSES", 2)
    document_queue_seconds: int = setting("DOCUMENT_QUEUE_SECONDS", 10)

    @property
    def logos_url(self):
        """Where the stored logos of organizations are served; a logo's SHA-256 follows."""
        return f"{self.public_url}/forms/logo/"


def load(ini, environ):
    """Settings from an ini section (dict; only its `pipeline.` keys) and the environment (dict).

    Raises SettingsError.
    """
    given = {key.removeprefix(PREFIX): value for key, value in ini.items() if key.startswith(PREFIX)}
    unknown = sorted(set(given) - {item.name for item in fields(Settings)})
    if unknown:
        raise SettingsError(f"Unknown setting: {PREFIX}{unknown[0]}")
    values = {item.name: _value(item, given, environ) for item in fields(Settings)}
    if not values["database_forms_url"]:
        values["database_forms_url"] = with_login(values["database_url"], "pipeline_forms")
    if not values["database_jobs_url"]:
        values["database_jobs_url"] = with_login(values["database_url"], "pipeline_jobs")
    _check_keys(values)
    _check_limits(values)
    values["mail_transport"] = _mail_transport(values)
    return Settings(**values)


def with_login(url, login, password=None):
    """The same database URL with another login; its password stays unless a new one is given."""
    parts = urlsplit(url)
    credentials, _, host = parts.netloc.rpartition("@")
    password = credentials.partition(":")[2] if password is None else password
    return urlunsplit(parts._replace(netloc=f"{login}{':' + password if password else ''}@{host}"))


def _value(item, given, environ):
    variable, default = item.metadata["variable"], item.metadata["default"]
    raw = environ.get(variable) or given.get(item.name)
    if not raw:
        if default is REQUIRED:
            raise SettingsError(f"Missing setting: set {variable} (or {PREFIX}{item.name} in the ini file)")
        return default
    try:
        return item.type(raw)
    except ValueError:
        raise SettingsError(f"Setting {variable} must be of type {item.type.__name__}: {raw!r}") from None


def _check_keys(values):
    if values["jwt_algorithm"] == "HS256":
        if len(values["jwt_secret"]) < 32:
            raise SettingsError("Missing setting: JWT_SECRET must have at least 32 characters")
    elif values["jwt_algorithm"] == "RS256":
        if not values["jwt_public_key"]:
            raise SettingsError("Missing setting: JWT_PUBLIC_KEY (PEM) is needed for RS256")
    else:
        raise SettingsError("Setting JWT_ALGORITHM must be HS256 or RS256")


def _check_limits(values):
    if values["trusted_proxies"] < 0:
        raise SettingsError("Setting TRUSTED_PROXIES must not be negative")
    if values["rate_limit_factor"] < 1:
        raise SettingsError("Setting RATE_LIMIT_FACTOR must be at least 1")
    if values["document_processes"] < 1:
        raise SettingsError("Setting DOCUMENT_PROCESSES must be at least 1")


def _mail_transport(values):
    given = values["mail_transport"] or ("log" if values["environment"] == "development" else "smtp")
    if given not in ("smtp", "log"):
        raise SettingsError("Setting MAIL_TRANSPORT must be smtp or log")
    return given
