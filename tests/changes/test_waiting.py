"""A handler that waits for another server does not delay the change feed."""

import threading
from concurrent.futures import ThreadPoolExecutor
from functools import partial

from pipeline import documents
from pipeline.contracts import renditions
from tests.contracts.support import TEMPLATE
from tests.mail.conftest import mail_settings as mail_settings
from tests.mail.conftest import server as server
from tests.mail.conftest import worker as worker
from tests.waiting import SECONDS


def test_a_slow_mail_server_and_a_long_rendering_hold_no_change_of_others_back(
    organization, new_organization, worker, server, settle, monkeypatch
):
    other, (mailing, rendering, ended) = new_organization().member, (threading.Event() for _ in range(3))

    def hold(begun, _content):
        begun.set()
        ended.wait(SECONDS)

    def render(_kind, document):
        hold(rendering, document)
        raise documents.Unavailable("It took too long.")

    server.seen = partial(hold, mailing)
    monkeypatch.setattr(renditions.documents, "render", render)
    organization.invite(send_email=True)
    worker.deliver(*worker.open())  # its email is an event of its own
    template = organization.admin.post("/api/contract-templates", TEMPLATE, status=201).json["id"]
    organization.member.post("/api/contracts", {"template_id": template, "effective_date": "2026-02-01"}, status=201)
    events = worker.open()
    with ThreadPoolExecutor(len(events)) as threads:
        threads.map(worker.deliver, events)
        try:
            assert mailing.wait(SECONDS)
            assert rendering.wait(SECONDS)
            start = other.get("/api/changes", status=200).json["next"]
            lead = other.post("/api/leads", {"first_name": "Pat"}, status=201).json["id"]
            settle()
            found = other.get(f"/api/changes?types=leads&after={start}", status=200).json["data"]
            assert [(change["type"], change["id"]) for change in found] == [("leads", lead)]
        finally:
            ended.set()
    assert worker.open() == events[1:], "the email is sent, the document tried again"
