"""Files beside the modules: `sql`, `alembic`, `production.ini`.

A checkout has them at its top; a wheel has copies in the package, made by setup.py.
"""

from pathlib import Path

PACKAGE = Path(__file__).resolve().parents[1]
COPIES = PACKAGE / "_shipped"


def shipped(name: str) -> Path:
    """The path of such a file or folder. A wheel lacks `development.ini`."""
    return (COPIES if COPIES.is_dir() else PACKAGE.parent) / name
