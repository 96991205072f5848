"""`python -m development.freeze` copies sql/schema into the baseline of the first release.

It refuses if later revisions exist.
"""

import hashlib
import shutil
import sys
from pathlib import Path

from pipeline.database.revisions import BASELINE, FOLDER, SCHEMA, schema

DIGEST = Path(__file__).resolve().parents[1] / "tests" / "database" / "baseline.sha256"


def digest(folder: Path) -> str:
    """The SHA-256 of the files of a schema, with their names."""
    names = [file.name for file in sorted(folder.glob("*.sql"))]
    return hashlib.sha256("\0".join([*names, *schema(folder)]).encode()).hexdigest()


def freeze() -> str:
    """Copy the files and store their digest."""
    if len(list((FOLDER / "versions").glob("[0-9]*.py"))) > 1:
        sys.exit('The baseline is released. Write a revision instead: make revision M="Leads tell their city"')
    shutil.rmtree(BASELINE, ignore_errors=True)
    BASELINE.mkdir()
    for file in sorted(SCHEMA.glob("*.sql")):
        shutil.copyfile(file, BASELINE / file.name)
    DIGEST.write_text(f"{digest(BASELINE)}\n")
    return digest(BASELINE)


if __name__ == "__main__":
    print(f"alembic/baseline holds sql/schema: {freeze()}")
