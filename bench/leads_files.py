"""Import and export of leads: rows a second and memory of the web process, beside the bare statements."""

import contextlib
import http.client
import json
import threading
import time

import psutil

from bench.leads_data import OTHER, SEATS
from bench.lists import authorization
from bench.report import aimed
from pipeline.database import queries
from pipeline.leads.csv_format import COLUMNS

BOUNDARY = "bench-bench-bench"
CHUNK = 64 * 1024
MIB = 1024 * 1024
# Rows a second at least; memory over idle in MiB and milliseconds to the first byte at most.
IMPORT_RATE, IMPORT_MEMORY = 15_000, 150
EXPORT_RATE, EXPORT_MEMORY, FIRST_BYTE = 150_000, 30, 300


def report(bench, database):
    """Measure and print import and export; `database` is what the bare statements go to."""
    size = bench.size
    count = min(100_000, size)
    floor = bare_insert(database, count)
    seconds, memory = importing(bench, count, "first")
    print(
        f"\nimport of {count:,} rows: {at_least(count / seconds, IMPORT_RATE)}, bare INSERT … SELECT "
        f"{count / floor:,.0f}: {floor / seconds:.2f} of it; {at_most(memory, IMPORT_MEMORY)}"
    )
    floor = bare_copy(database)
    first, seconds, memory, lines = exporting(bench)
    begun = aimed(f"first byte {first * 1000:.0f} ms", FIRST_BYTE, first * 1000 <= FIRST_BYTE)
    print(
        f"export of {lines:,} leads: {at_least(lines / seconds, EXPORT_RATE)}, bare COPY {size / floor:,.0f}: "
        f"{lines / seconds * floor / size:.2f} of it; {begun}; {at_most(memory, EXPORT_MEMORY)}"
    )


def at_least(rate, aim):
    """Rows a second with their aim."""
    return aimed(f"{rate:,.0f} rows/s", f"{aim:,}", rate >= aim)


def at_most(memory, aim):
    """Memory over idle (bytes) with its aim (MiB)."""
    return aimed(f"memory +{memory / MIB:.0f} MiB", aim, memory / MIB <= aim)


def importing(bench, count, mark):
    """(seconds, peak memory over idle in bytes) of an import of new leads into the organization OTHER."""
    body = _form(_file(count, mark))
    headers = authorization(bench.site, OTHER) | {"Content-Type": f"multipart/form-data; boundary={BOUNDARY}"}
    with (
        contextlib.closing(http.client.HTTPConnection("127.0.0.1", bench.web.port)) as connection,
        peak(bench.web.process.pid) as memory,
    ):
        started = time.perf_counter()
        connection.request("POST", "/api/leads/import", body, headers)
        answer = connection.getresponse()
        result = json.loads(answer.read())
        seconds = time.perf_counter() - started
    if answer.status != 200 or result["imported"] != count:
        raise RuntimeError(f"import: {answer.status} {result}")
    return seconds, memory()


def exporting(bench):
    """(seconds to the first byte, seconds in all, memory over idle in bytes, leads) of an export."""
    lines = -1
    with (
        contextlib.closing(http.client.HTTPConnection("127.0.0.1", bench.web.port)) as connection,
        peak(bench.web.process.pid) as memory,
    ):
        started = time.perf_counter()
        connection.request("GET", "/api/leads/export", headers=authorization(bench.site))
        answer = connection.getresponse()
        chunk = answer.read1(CHUNK)
        first = time.perf_counter() - started
        while chunk:
            lines += chunk.count(b"\n")
            chunk = answer.read1(CHUNK)
        seconds = time.perf_counter() - started
    return first, seconds, memory(), lines


def bare_insert(database, count):
    """Seconds of one INSERT … SELECT of as many like rows; rolled back."""
    with database.pool.connection() as connection, queries.on(connection):
        connection.execute("begin")
        queries.authenticate(user_id=1, organization_id=OTHER, session_id=1)
        queries.lead_import_begin()
        connection.execute("set local statement_timeout = 0")
        lines = _file(count, "bare").decode().split("\n")[1:-1]
        with connection.cursor() as cursor, cursor.copy(queries.lead_import_copy.merged()) as copy:
            for number, line in enumerate(lines):
                cells = [cell or None for cell in line.split(",")]
                copy.write_row((number, *cells[:-1], 1))
        started = time.perf_counter()
        columns = ", ".join(COLUMNS)
        connection.execute(f"insert into leads ({columns}) select {columns} from lead_import_rows")
        seconds = time.perf_counter() - started
        connection.execute("rollback")
    return seconds


def bare_copy(database):
    """Seconds of COPY of the same columns, as they are, read to the end."""
    columns = ", ".join(("id", "created_at", "updated_at", *COLUMNS))
    with database.pool.connection() as connection, queries.on(connection):
        connection.execute("begin")
        queries.authenticate(user_id=1, organization_id=1, session_id=1)
        started = time.perf_counter()
        statement = f"copy (select {columns} from leads order by organization_id, id) to stdout (format csv)"
        with connection.cursor() as cursor, cursor.copy(statement) as copy:
            for _ in copy:
                pass
        seconds = time.perf_counter() - started
        connection.execute("rollback")
    return seconds


@contextlib.contextmanager
def peak(number):
    """Yields a function: the highest memory of the process and its children meanwhile, less that at the start."""
    processes = [psutil.Process(number), *psutil.Process(number).children(recursive=True)]
    idle = _resident(processes)
    highest, done = [idle], threading.Event()

    def watch():
        while not done.wait(0.02):
            highest[0] = max(highest[0], _resident(processes))

    watcher = threading.Thread(target=watch)
    watcher.start()
    try:
        yield lambda: highest[0] - idle
    finally:
        done.set()
        watcher.join()


def _resident(processes):
    return sum(process.memory_info().rss for process in processes)


def _file(count, mark):
    rows = [
        f"Anna,Name{i * 7919 % 100003},{mark}{i}@company{i % 5000}.example,+49 30 {1000000 + i},"
        f"Company {i % 5000} GmbH,Engineer,fair,new,,,{f'rep{1 + i % SEATS}@bench.example' if i % 3 else ''}\n"
        for i in range(count)
    ]
    return (",".join(COLUMNS) + "\n" + "".join(rows)).encode()


def _form(content):
    head = f'--{BOUNDARY}\r\nContent-Disposition: form-data; name="file"; filename="leads.csv"\r\n\r\n'
    return head.encode() + content + f"\r\n--{BOUNDARY}--\r\n".encode()
