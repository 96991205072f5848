"""The server of production as a real process, with bounds so short that a test can wait for them."""

import pytest

from tests.contracts.support import TEMPLATE, pdf_file, upload
from tests.http.processes import web_process
from tests.server.clients import Served

MEBIBYTE = 1024 * 1024
SHORT = {"WEB_HEADER_SECONDS": "1", "WEB_STALL_SECONDS": "1", "WEB_BYTES_PER_SECOND": "2000", "WEB_IDLE_SECONDS": "2"}


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


@pytest.fixture
def large_copy(admin, member):
    """The path of a stored file of 24 MiB."""
    template = admin.post("/api/contract-templates", TEMPLATE, status=201).json
    body = {"template_id": template["id"], "effective_date": "2026-02-01"}
    path = f"/api/contracts/{member.post('/api/contracts', body, status=201).json['id']}/executed"
    upload(member, path, pdf_file(b"%" * 24 * MEBIBYTE), "signed.pdf", status=201)
    return path
