"""The web server of production as a real process of four threads."""

import contextlib

import pytest

from tests.contracts.support import TEMPLATE, pdf_file, upload
from tests.http.processes import web_process
from tests.server.clients import Served

# More than the kernel keeps for a connection that nobody reads.
LARGE = 12 * 1024 * 1024


@pytest.fixture(scope="module")
def new_server(login_url, tmp_path_factory):
    """new_server(**environ): a context manager with a running server of one process, a Served."""

    @contextlib.contextmanager
    def start(**environ):
        log = tmp_path_factory.mktemp("server") / "log"
        with web_process(login_url, log, **{"RATE_LIMIT_FACTOR": "1000", **environ}) as running:
            yield Served(*running, log)

    return start


@pytest.fixture(scope="module")
def server(site):
    """The site of the browser tests as a Served: a process that serves alone."""
    return Served(site.process, site.port, site.log)


@pytest.fixture
def large_copy(admin, member):
    template = admin.post("/api/contract-templates", TEMPLATE, status=201).json
    body = {"template_id": template["id"], "effective_date": "2026-02-01"}
    path = f"/api/contracts/{member.post('/api/contracts', body, status=201).json['id']}/executed"
    upload(member, path, pdf_file(b"%" * LARGE), "signed.pdf", status=201)
    return path
