"""The settings. Ini files use `pipeline.<name>`; the environment takes precedence."""

import functools
import re
from collections.abc import Mapping
from dataclasses import Field, dataclass, field, fields
from importlib.util import find_spec
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from pipeline.process.settings.cells import CellUrls, read_cells
from pipeline.process.settings.database_url import is_database_url, with_login
from pipeline.process.settings.secrets import MAKE_ONE, weakness

PREFIX = "pipeline."
REQUIRED = object()
SWITCH = {"true": True, "false": False}
LOCAL_URL = "http://127.0.0.1:6543"
DATABASES = ("DATABASE_URL", "DATABASE_FORMS_URL", "DATABASE_JOBS_URL", "DATABASE_LISTEN_URL")
# A file can hold these: JWT_SECRET_FILE=/run/secrets/jwt.
SECRETS = (
    *DATABASES,
    "DATABASE_OWNER_URL",
    "REDIS_URL",
    "JWT_SECRET",
    "JWT_RETIRED_KEYS",
    "SMTP_URL",
    "MAIL_BOUNCE_SECRET",
)


class SettingsError(Exception):
    """An invalid setting; the message names it."""


def setting(variable: str, default: object = REQUIRED, least: int | None = None) -> Any:
    """A field from an environment variable; `least` is its minimum."""
    return field(metadata={"variable": variable, "default": default, "least": least})


@dataclass(frozen=True)
class Settings:
    database_url: str = setting("DATABASE_URL")
    database_forms_url: str = setting("DATABASE_FORMS_URL", "")
    database_pool: int = setting("DATABASE_POOL", 8, least=1)
    web_threads: int = setting("WEB_THREADS", 8, least=1)
    jwt_secret: str = setting("JWT_SECRET", "")
    jwt_algorithm: str = setting("JWT_ALGORITHM", "HS256")
    jwt_public_key: str = setting("JWT_PUBLIC_KEY", "")
    jwt_key_id: str = setting("JWT_KEY_ID", "1")
    jwt_retired_keys: str = setting("JWT_RETIRED_KEYS", "")
    jwt_issuer: str = setting("JWT_ISSUER", "pipeline")
    jwt_audience: str = setting("JWT_AUDIENCE", "pipeline-api")
    access_token_minutes: int = setting("ACCESS_TOKEN_MINUTES", 15, least=1)
    refresh_token_days: int = setting("REFRESH_TOKEN_DAYS", 30, least=1)
    session_days: int = setting("SESSION_DAYS", 90, least=1)  # maximum age of a session
    public_url: str = setting("PUBLIC_URL", LOCAL_URL)
    environment: str = setting("PIPELINE_ENVIRONMENT", "production")
    redis_url: str = setting("REDIS_URL", "")
    cors_origins: str = setting("CORS_ORIGINS", "")  # separated by spaces
    trusted_proxies: int = setting("TRUSTED_PROXIES", 0, least=0)
    rate_limit_factor: int = setting("RATE_LIMIT_FACTOR", 1, least=1)
    database_jobs_url: str = setting("DATABASE_JOBS_URL", "")
    # For LISTEN, if DATABASE_JOBS_URL uses a pooler.
    database_listen_url: str = setting("DATABASE_LISTEN_URL", "")
    worker_threads: int = setting("WORKER_THREADS", 8, least=1)  # of the queue mail
    webhook_allow_private: bool = setting("WEBHOOK_ALLOW_PRIVATE", False)  # allow http and any address, for development
    worker_stop_seconds: int = setting("WORKER_STOP_SECONDS", 30, least=0)
    traces_url: str = setting("OTEL_EXPORTER_OTLP_ENDPOINT", "")  # OpenTelemetry collector
    worker_metrics: str = setting("WORKER_METRICS", "")  # host:port or "off"
    mail_transport: str = setting("MAIL_TRANSPORT", "")  # smtp or log
    smtp_url: str = setting("SMTP_URL", "")
    mail_from: str = setting("MAIL_FROM", "")
    mail_helo: str = setting("MAIL_HELO", "")  # for EHLO
    mail_timeout: int = setting("MAIL_TIMEOUT", 30, least=1)  # per response
    mail_quota_per_day: int = setting("MAIL_QUOTA_PER_DAY", 500, least=1)  # invites and invitations per organization
    mail_bounce_secret: str = setting("MAIL_BOUNCE_SECRET", "")  # of POST /api/mail/bounces; without it, none
    capture_quota_per_form: int = setting("CAPTURE_QUOTA_PER_FORM", 200, least=1)  # leads an hour
    capture_quota_per_organization: int = setting("CAPTURE_QUOTA_PER_ORGANIZATION", 1000, least=1)
    answers_readable_days: int = setting("ANSWERS_READABLE_DAYS", 30, least=1)  # after the submit
    audit_days: int = setting("AUDIT_DAYS", 400, least=1)  # retention; at least 31
    app_url: str = setting("APP_URL", "")  # base of links in emails to people
    # The limits of a document, and concurrent renderings.
    document_seconds: int = setting("DOCUMENT_SECONDS", 20, least=1)
    document_memory_mib: int = setting("DOCUMENT_MEMORY_MIB", 1024, least=1)
    document_output_mib: int = setting("DOCUMENT_OUTPUT_MIB", 32, least=1)
    document_pages: int = setting("DOCUMENT_PAGES", 300, least=1)
    document_processes: int = setting("DOCUMENT_PROCESSES", 2, least=1)

    # The seal of signed contracts: PKCS #12, which the worker alone reads; and PEM of this and earlier certificates.
    # The folder has both for organizations with certificates of their own: 7.p12, 7.password, 7.pem.
    signing_certificate: str = setting("SIGNING_CERTIFICATE", "")
    signing_certificate_password_file: str = setting("SIGNING_CERTIFICATE_PASSWORD_FILE", "")
    signing_known_certificates: str = setting("SIGNING_KNOWN_CERTIFICATES", "")
    signing_certificates: str = setting("SIGNING_CERTIFICATES", "")
    signing_tsa_url: str = setting("SIGNING_TSA_URL", "")

    # The further servers; and seconds after which a server refuses sessions because it hears nothing from home.
    cells_file: str = setting("CELLS_FILE", "")
    cell_lag_seconds: int = setting("CELL_LAG_SECONDS", 5, least=1)

    storage_quota_mib: int = setting("STORAGE_QUOTA_MIB", 10_240, least=0)  # per organization; 0: no quota

    @functools.cached_property
    def cells(self) -> dict[str, CellUrls]:
        """{name: URLs} of the cells that CELLS_FILE names."""
        return read_cells(self.cells_file)

    @property
    def heavy_requests(self) -> int:
        """Concurrent ones of a process."""
        # More than three do not help, and one thread stays free.
        return max(1, min(3, self.web_threads - 1))

    @property
    def mail_quota(self) -> int:
        """Invites and invitations per organization and day."""
        return self.mail_quota_per_day * self.rate_limit_factor

    @property
    def document_limits(self) -> dict[str, int]:
        """The limits of documents, without the prefix `document_`."""
        begin = "document_"
        names = [item.name for item in fields(self) if item.name.startswith(begin)]
        return {name.removeprefix(begin): getattr(self, name) for name in names}

    @property
    def people_url(self) -> str:
        """The base of links in notifications."""
        return self.app_url.rstrip("/") or f"{self.public_url}/api"

    @property
    def interviews_url(self) -> str:
        """The base of interview links; a token follows."""
        return f"{self.public_url}/forms/interview/"

    @property
    def logos_url(self) -> str:
        """The base of logo URLs; a SHA-256 follows."""
        return f"{self.public_url}/forms/logo/"


def with_secrets(environ: Mapping[str, str]) -> dict[str, str]:
    """The environment, with SECRETS from their files; raises SettingsError."""
    read = dict(environ)
    for variable in SECRETS:
        if file := environ.get(f"{variable}_FILE"):
            try:
                read[variable] = Path(file).read_text(encoding="utf-8").strip()
            except (OSError, UnicodeDecodeError) as error:
                raise SettingsError(f"Setting {variable}_FILE: {file} cannot be read ({error})") from None
    return read


def load(ini: Mapping[str, str], environ: Mapping[str, str]) -> Settings:
    """Settings from an ini section and the environment; raises SettingsError."""
    given = {key.removeprefix(PREFIX): value for key, value in ini.items() if key.startswith(PREFIX)}
    unknown = sorted(set(given) - {item.name for item in fields(Settings)})
    if unknown:
        raise SettingsError(f"Unknown setting: {PREFIX}{unknown[0]}")
    values = {item.name: _value(item, given, environ) for item in fields(Settings)}
    for variable in DATABASES:
        if url := values[variable.lower()]:
            check_url(variable, url)
    if not values["database_forms_url"]:
        values["database_forms_url"] = with_login(values["database_url"], "pipeline_forms")
    if not values["database_jobs_url"]:
        values["database_jobs_url"] = with_login(values["database_url"], "pipeline_jobs")
    _check_redis(values["redis_url"])
    _check_keys(values)
    _check_limits(values)
    _check_origins(values["cors_origins"])
    _check_traces(values["traces_url"])
    if values["signing_tsa_url"] and not re.match(r"https?://[^/\s]", values["signing_tsa_url"]):
        raise SettingsError("Setting SIGNING_TSA_URL must be like https://tsa.example.com")
    values["mail_transport"] = _mail_transport(values)
    values["worker_metrics"] = _worker_metrics(values)
    try:
        read_cells(values["cells_file"])
    except ValueError as error:
        raise SettingsError(f"Setting {error}") from None
    return Settings(**values)


def check_production(settings: Settings) -> None:
    """Raise SettingsError for unsafe settings in production."""
    if settings.environment == "development":
        return
    retired = [pair.partition(":")[2] for pair in settings.jwt_retired_keys.split()]
    secrets = {"JWT_SECRET": [settings.jwt_secret], "JWT_RETIRED_KEYS": retired}
    secrets = secrets if settings.jwt_algorithm == "HS256" else {}
    secrets |= {"MAIL_BOUNCE_SECRET": [settings.mail_bounce_secret]} if settings.mail_bounce_secret else {}
    for variable, values in secrets.items():
        if found := next(filter(None, map(weakness, values)), None):
            raise SettingsError(f"Setting {variable} {found}; {MAKE_ONE}")
    if settings.public_url == LOCAL_URL:
        raise SettingsError("Missing setting: set PUBLIC_URL, the service's URL for clients and prospects")
    if not re.fullmatch(r"https?://[^\s/?#]+(/[^\s/?#]+)*", settings.public_url):
        raise SettingsError("Setting PUBLIC_URL must be like https://sales.example.com, without a slash at its end")


def check_url(variable: str, url: str) -> None:
    """Raise SettingsError if it is not a PostgreSQL URL."""
    if not is_database_url(url):
        # The value may hold a password.
        raise SettingsError(f"{variable} is not a URL like postgresql://user@host/database")


def _value(item: Field[Any], given: Mapping[str, str], environ: Mapping[str, str]) -> Any:
    variable, default = item.metadata["variable"], item.metadata["default"]
    kind: Any = item.type
    raw = environ.get(variable) or given.get(item.name)
    if not raw:
        if default is REQUIRED:
            raise SettingsError(f"Missing setting: set {variable} (or {PREFIX}{item.name} in the ini file)")
        return default
    try:
        return SWITCH[raw.lower()] if kind is bool else kind(raw)
    except (ValueError, KeyError):
        raise SettingsError(f"Setting {variable} must be of type {kind.__name__}: {raw!r}") from None


def _check_redis(url: str) -> None:
    try:
        parts = urlsplit(url)
        numbered = parts.scheme == "unix" or re.fullmatch(r"/?[0-9]*", parts.path, re.ASCII)
        sound = not url or bool(parts.scheme in ("redis", "rediss", "unix") and parts.port != 0 and numbered)
    except ValueError:
        sound = False
    if not sound:
        raise SettingsError("REDIS_URL is not a URL like redis://:password@host:6379/0")


def _check_traces(url: str) -> None:
    if url and not re.match(r"https?://[^/\s]", url):
        raise SettingsError("Setting OTEL_EXPORTER_OTLP_ENDPOINT must be like http://collector:4318")
    if url and find_spec("opentelemetry") is None:
        raise SettingsError("OTEL_EXPORTER_OTLP_ENDPOINT needs the packages of requirements/traces.lock")


def _check_keys(values: Mapping[str, Any]) -> None:
    if values["jwt_algorithm"] == "HS256":
        if len(values["jwt_secret"]) < 32:
            raise SettingsError("Missing setting: JWT_SECRET must have at least 32 characters")
    elif values["jwt_algorithm"] == "RS256":
        if not values["jwt_public_key"]:
            raise SettingsError("Missing setting: JWT_PUBLIC_KEY (PEM) is needed for RS256")
    else:
        raise SettingsError("Setting JWT_ALGORITHM must be HS256 or RS256")


def _check_origins(origins: str) -> None:
    for origin in origins.split():
        if not re.fullmatch(r"https?://[a-z0-9.-]+(:[0-9]{1,5})?", origin, re.ASCII):
            raise SettingsError(
                f"Setting CORS_ORIGINS must hold origins such as https://app.example.com, not {origin!r}"
            )


def _check_limits(values: Mapping[str, Any]) -> None:
    for item in fields(Settings):
        value, least = values[item.name], item.metadata["least"]
        if least is not None and value < least:
            raise SettingsError(f"Setting {item.metadata['variable']} must be at least {least}")
    threads, pool = values["web_threads"], values["database_pool"]
    if pool < threads:
        raise SettingsError(f"Setting DATABASE_POOL must be at least WEB_THREADS, which is {threads}")
    if values["document_processes"] >= pool:
        raise SettingsError(f"Setting DOCUMENT_PROCESSES must be less than DATABASE_POOL, which is {pool}")


def _worker_metrics(values: Mapping[str, Any]) -> str:
    given = values["worker_metrics"] or ("off" if values["environment"] == "development" else "127.0.0.1:6544")
    address = re.fullmatch(r"(?:[^\s:]+|\[[0-9a-f:]+\]):([0-9]{1,5})", given, re.ASCII)
    if given != "off" and not (address and int(address[1]) < 65536):
        raise SettingsError("Setting WORKER_METRICS must be like 127.0.0.1:6544, or off")
    return given


def _check_helo(name: str) -> None:
    try:
        name.encode("idna")
        sound = not re.search(r"[\s@/\[\]]", name)
    except UnicodeError:
        sound = False
    if not sound:
        raise SettingsError("Setting MAIL_HELO must be like mail.example.com or 192.0.2.7")


def _mail_transport(values: Mapping[str, Any]) -> str:
    given = values["mail_transport"] or ("log" if values["environment"] == "development" else "smtp")
    if given not in ("smtp", "log"):
        raise SettingsError("Setting MAIL_TRANSPORT must be smtp or log")
    _check_helo(values["mail_helo"])
    return given
