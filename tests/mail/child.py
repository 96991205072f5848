"""A worker in a process of its own, for tests that kill it: python -m tests.mail.child ORGANIZATION.

It tries every open event once. Its settings come from the environment; DATABASE_URL is the jobs login's.
"""

import os
import sys
from contextlib import closing

from pipeline.database import Database
from pipeline.process.settings import load
from tests.mail.delivery import Worker
from tests.waiting import SECONDS

if __name__ == "__main__":
    settings = load({}, os.environ)
    with closing(Database(settings.database_url, 4, patience=SECONDS)) as database:
        Worker(database, settings, int(sys.argv[1])).run()
