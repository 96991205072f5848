"""The server of production as a real process: with bounds so short that a test can wait for them, or without."""

import pytest

from tests.contracts.support import TEMPLATE, pdf_file, upload
from tests.http.processes import web_process
from tests.server.clients import Served
from tests.waiting import SECONDS

MEBIBYTE = 1024 * 1024
SHORT = {"WEB_HEADER_SECONDS": "1", "WEB_STALL_SECONDS": "2", "WEB_BYTES_PER_SECOND": "100", "WEB_IDLE_SECONDS": "2"}
# So long that nobody is cut off while the tests wait for something.
PATIENT = dict.fromkeys(("WEB_HEADER_SECONDS", "WEB_STALL_SECONDS", "WEB_IDLE_SECONDS"), str(10 * SECONDS))


@pytest.fixture(scope="module")
def new_server(login_url, tmp_path_factory):
    """new_server(**environ): a context manager with a running server of one process and four threads, a Served."""

    def start(**environ):
        log = tmp_path_factory.mktemp("server") / "log"
        running = web_process("production", login_url, log, **{**SHORT, "RATE_LIMIT_FACTOR": "1000", **environ})
        return Served(running, log)

    return start


@pytest.fixture(scope="module")
def server(new_server):
    """A Served that this module's tests share."""
    with new_server() as served:
        yield served


@pytest.fixture(scope="module")
def patient(new_server):
    """The same that cuts off nobody: what holds a thread there holds it for good."""
    with new_server(**PATIENT, WEB_CONNECTIONS_PER_ADDRESS="1000") as served:
        yield served


@pytest.fixture
def large_copy(admin, member):
    """The path of a stored file of 24 MiB."""
    template = admin.post("/api/contract-templates", TEMPLATE, status=201).json
    body = {"template_id": template["id"], "effective_date": "2026-02-01"}
    path = f"/api/contracts/{member.post('/api/contracts', body, status=201).json['id']}/executed"
    upload(member, path, pdf_file(b"%" * 24 * MEBIBYTE), "signed.pdf", status=201)
    return path
