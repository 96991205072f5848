"""An import that is killed stores nothing, and the next one succeeds."""

import contextlib
import http.client
import threading
import uuid

from tests.chaos.processes import wait_until
from tests.leads.csv_files import FORM, multipart

# What the import is doing when its web process dies: reading the file, looking for duplicates, making leads.
MOMENTS = ("lead_import_copy", "lead_import_skip", "lead_import_insert")
IMPORT_SECONDS = 120


def csv(rows, mark):
    """A file with this many leads, whose company is `mark`."""
    lines = "".join(f"Import,Number {number},{mark}-{number}@prospect.example,{mark}\n" for number in range(rows))
    return f"First Name,Last Name,Email,Company\n{lines}".encode()


def upload(place, file):
    """The status of an import; None when the connection broke."""
    connection = http.client.HTTPConnection("127.0.0.1", place.port, timeout=IMPORT_SECONDS)
    with contextlib.closing(connection), contextlib.suppress(OSError, http.client.HTTPException):
        connection.request("POST", "/api/leads/import", multipart(file), {**place.headers, "Content-Type": FORM})
        return connection.getresponse().status


def killed_import(service, moment, rows):
    """Kill the web processes at this moment of an import, then import again: (status, leads) of both tries."""
    place, mark, answers = service.place(), f"mark-{uuid.uuid4().hex}", []
    file = csv(rows, mark)
    first = threading.Thread(target=lambda: answers.append(upload(place, file)))
    with service.connect() as connection:
        first.start()
        wait_until(lambda: is_running(connection, moment) or answers, IMPORT_SECONDS, f"the import is at {moment}")
        service.system.web.kill()
        first.join()
        service.system.web.start_and_wait()
        wait_until(lambda: not is_running(connection, "lead_import"), IMPORT_SECONDS, "its transaction has ended")
        tries = [(answers[0], count(connection, mark))]
        service.ledger.imports[mark] = rows
        return [*tries, (upload(place, file), count(connection, mark))]


def is_running(connection, name):
    """Whether a statement with this name is at work."""
    statement = "select exists (select from pg_stat_activity where state <> 'idle' and query like %s)"
    return connection.execute(statement, (f"-- {name}%",)).fetchone()[0]


def count(connection, mark):
    return connection.execute("select count(*) from app.leads where company = %s", (mark,)).fetchone()[0]
