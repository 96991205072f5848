"""`make revision M="Add a city to leads"`: creates a revision from the template, with the next number."""

import sys
from pathlib import Path

from alembic import command
from pipeline.database import migrations, revisions


def make(message: str) -> Path:
    """Write alembic/versions/NNNN_….py after the newest revision; returns its path."""
    number = f"{int(revisions.head()) + 1:04}"
    return Path(command.revision(migrations.configuration(), message, rev_id=number).path)


if __name__ == "__main__":
    make(sys.argv[1])
