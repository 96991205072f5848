"""A handler that waits for another server does not delay the change feed."""

import dataclasses
import socket
import threading
from concurrent.futures import ThreadPoolExecutor

import pytest

from pipeline import documents
from pipeline.contracts import renditions
from tests.contracts.support import TEMPLATE
from tests.mail.delivery import Worker

PATIENCE = 120


@pytest.fixture
def silent():
    """A mail server on loopback that takes connections and never says a word."""
    with socket.create_server(("127.0.0.1", 0)) as listening:
        listening.settimeout(PATIENCE)
        yield listening


@pytest.fixture
def worker(jobs, settings, organization, silent):
    """The worker of the test's organization, which sends to the silent server."""
    url = f"smtp://127.0.0.1:{silent.getsockname()[1]}"
    sending = {"mail_transport": "smtp", "smtp_url": url, "mail_from": "mail@pipeline.example"}
    return Worker(jobs, dataclasses.replace(settings, **sending, mail_timeout=PATIENCE), organization.id)


@pytest.fixture
def rendering(monkeypatch):
    """(begun, ended): events of a document that takes until `ended` is set."""
    begun, ended = threading.Event(), threading.Event()

    def render(_kind, _document):
        begun.set()
        ended.wait(PATIENCE)
        raise documents.Unavailable("It took too long.")

    monkeypatch.setattr(renditions.documents, "render", render)
    return begun, ended


def test_a_silent_mail_server_and_a_long_rendering_hold_no_change_of_others_back(
    organization, new_organization, worker, silent, rendering, settle
):
    other, (begun, ended) = new_organization().member, rendering
    organization.invite(send_email=True)
    worker.deliver(*worker.open())  # its email is an event of its own
    template = organization.admin.post("/api/contract-templates", TEMPLATE, status=201).json["id"]
    organization.member.post("/api/contracts", {"template_id": template, "effective_date": "2026-02-01"}, status=201)
    events = worker.open()
    with ThreadPoolExecutor(len(events)) as threads:
        for event in events:
            threads.submit(worker.deliver, event)
        server, _address = silent.accept()
        with server:
            try:
                assert begun.wait(PATIENCE)
                start = other.get("/api/changes", status=200).json["next"]
                lead = other.post("/api/leads", {"first_name": "Pat"}, status=201).json["id"]
                settle()
                found = other.get(f"/api/changes?types=leads&after={start}", status=200).json["data"]
                assert [(change["type"], change["id"]) for change in found] == [("leads", lead)]
            finally:
                ended.set()
    assert worker.open() == events
