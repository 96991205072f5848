"""Files beside the modules: at a checkout's top, or copies in a wheel."""

from pathlib import Path

PACKAGE = Path(__file__).resolve().parents[2]
COPIES = PACKAGE / "_shipped"


def shipped(name: str) -> Path:
    """The path of a shipped file or folder; only a checkout has `development.ini`."""
    return (COPIES if COPIES.is_dir() else PACKAGE.parent) / name
