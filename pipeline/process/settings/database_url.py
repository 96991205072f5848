"""PostgreSQL URLs in libpq's syntax.

postgresql://pipeline_app:secret@db1:5432,db2:5433/pipeline?target_session_attrs=read-write
"""

from urllib.parse import quote, urlsplit, urlunsplit

import psycopg
from psycopg.conninfo import conninfo_to_dict

SCHEMES = ("postgresql://", "postgres://")


def is_database_url(url: str) -> bool:
    """Whether libpq can parse it."""
    if not url.startswith(SCHEMES):
        return False
    try:
        ports = str(conninfo_to_dict(url).get("port", "")).split(",")
    except psycopg.ProgrammingError:
        return False
    return all(not port or (port.isdecimal() and 0 < int(port) < 65536) for port in ports)


def login_of(url: str) -> tuple[str | None, str | None]:
    """(user, password), decoded; None if missing."""
    parts = {name: str(value) for name, value in conninfo_to_dict(url).items()}
    return parts.get("user"), parts.get("password")


def address_of(url: str) -> str:
    """host:port of the server."""
    parts = conninfo_to_dict(url)
    return f"{parts.get('host') or 'localhost'}:{parts.get('port') or 5432}"


def with_login(url: str, login: str, password: str | None = None) -> str:
    """The URL with another login; password None keeps the present one."""
    parts = urlsplit(url)
    password = login_of(url)[1] if password is None else password
    credentials = quote(login, safe="") + (f":{quote(password, safe='')}" if password else "")
    # A login here would take precedence.
    others = "&".join(pair for pair in parts.query.split("&") if pair.partition("=")[0] not in ("user", "password"))
    return urlunsplit(parts._replace(netloc=f"{credentials}@{parts.netloc.rpartition('@')[2]}", query=others))
