import threading
import uuid

from experiments.chaos.client import Client
from experiments.chaos.ledger import Ledger
from experiments.chaos.processes import wait_until
from tests.leads.csv_files import FORM, multipart

# What the import is doing when its web process dies: reading the file, looking for duplicates, making leads.
MOMENTS = ("lead_import_copy", "lead_import_match", "lead_import_insert")
IMPORT_SECONDS = 120
AT_WORK = "select exists (select from pg_stat_activity where state <> 'idle' and query like %s)"
LEADS = "select count(*) from app.leads where company = %s"


def csv(rows, mark):
    """A file with this many leads, whose company is `mark`."""
    lines = "".join(f"Import,Number {number},{mark}-{number}@prospect.example,{mark}\n" for number in range(rows))
    return f"First Name,Last Name,Email,Company\n{lines}".encode()


def killed_import(service, moment, rows):
    """Kill the web processes at this moment of an import, then import again: (status, leads) of both tries."""
    client, mark, tries = Client(service.place(), Ledger()), f"mark-{uuid.uuid4().hex}", []
    file = FORM, multipart(csv(rows, mark))
    with service.connect() as connection:

        def ask(statement, value):
            return connection.execute(statement, (value,)).fetchone()[0]

        def upload():
            tries.append(client.ask("import", "POST", "/api/leads/import", raw=file).status)

        first = threading.Thread(target=upload)
        first.start()
        wait_until(lambda: tries or ask(AT_WORK, f"-- {moment}%"), IMPORT_SECONDS, f"the import is at {moment}")
        service.web.kill()
        first.join()
        service.web.start_and_wait()
        wait_until(lambda: not ask(AT_WORK, "-- lead_import%"), IMPORT_SECONDS, "its transaction has ended")
        left = ask(LEADS, mark)
        service.ledger.imports[mark] = rows
        upload()
        client.close()
        return [(tries[0], left), (tries[1], ask(LEADS, mark))]
