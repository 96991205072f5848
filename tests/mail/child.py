"""A worker in a process of its own, for tests that kill it: python -m tests.mail.child ORGANIZATION.

Its settings come from the environment; DATABASE_URL is the jobs login's.
"""

import os
import sys

from pipeline.database import Database
from pipeline.process.settings import load
from tests.mail.delivery import Worker
from tests.waiting import SECONDS


def main():
    """One try for every open event; the errors of what failed on standard output."""
    settings = load({}, os.environ)
    database = Database(settings.database_url, 4, patience=SECONDS)
    for error in Worker(database, settings, int(sys.argv[1])).run():
        print(error)
    database.close()


if __name__ == "__main__":
    main()
