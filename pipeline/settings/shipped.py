"""Where the files are that the service reads beside its modules: `sql`, `alembic`, `production.ini`.

In a checkout they stand at its top; a wheel holds copies of them, which setup.py puts into the package.
"""

from pathlib import Path

PACKAGE = Path(__file__).resolve().parents[1]
COPIES = PACKAGE / "_shipped"


def shipped(name: str) -> Path:
    """The path of one of them, or of what only a checkout has (`development.ini`), which need not be there then."""
    return (COPIES if COPIES.is_dir() else PACKAGE.parent) / name
