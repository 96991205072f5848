"""CELLS_FILE: the further PostgreSQL servers of an installation (docs/scaling.md)."""

import configparser
import re
from dataclasses import dataclass
from pathlib import Path

from pipeline.process.settings.database_url import is_database_url, with_login

HOME = "home"
NAME = re.compile("[a-z][a-z0-9_]{0,30}")


@dataclass(frozen=True)
class CellUrls:
    """A cell's URLs; empty if the file does not give them. Processes need the first three, commands the others."""

    name: str
    app: str
    forms: str
    jobs: str
    owner: str
    replication: str


def read_cells(path: str) -> dict[str, CellUrls]:
    """{name: CellUrls} of a file's sections; raises ValueError with the reason."""
    if not path:
        return {}
    parser = configparser.ConfigParser(interpolation=None)
    try:
        parser.read_string(Path(path).read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError, configparser.Error) as error:
        raise ValueError(f"CELLS_FILE: {path} cannot be read ({' '.join(str(error).split())})") from None
    return {name: _cell(name, parser[name]) for name in parser.sections()}


def _cell(name: str, section: configparser.SectionProxy) -> CellUrls:
    if not NAME.fullmatch(name):
        raise ValueError(f"CELLS_FILE: [{name}] is not a name of small letters, digits and _")
    for key, url in section.items():
        if key not in KEYS or not is_database_url(url):
            raise ValueError(f"CELLS_FILE: {key} in [{name}] is not one of {', '.join(KEYS)} with a PostgreSQL URL")
    app = section.get("database_url", "")
    if not app and name != HOME:
        raise ValueError(f"CELLS_FILE: [{name}] needs database_url")
    forms = section.get("database_forms_url") or (with_login(app, "pipeline_forms") if app else "")
    jobs = section.get("database_jobs_url") or (with_login(app, "pipeline_jobs") if app else "")
    return CellUrls(name, app, forms, jobs, section.get("database_owner_url", ""), section.get("replication_url", ""))


KEYS = ("database_url", "database_forms_url", "database_jobs_url", "database_owner_url", "replication_url")
