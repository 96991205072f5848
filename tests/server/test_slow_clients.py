"""Silent or slow clients of one process with four threads: others get responses as usual."""

import contextlib
import json
import time

import pytest

from tests.server.clients import HEALTH, REFRESH, answered, get, problem
from tests.server.conftest import LARGE
from tests.waiting import wait_until

SILENT = REFRESH + b"Content-Length: 200\r\n\r\n{"
HALF_A_HEAD = b"GET /healthz HTTP/1.1\r\nHost: x\r\nX-A: "
SILENT_UPLOAD = (
    b"POST /api/leads/import HTTP/1.1\r\nHost: x\r\nContent-Type: multipart/form-data; boundary=b\r\n"
    b"Transfer-Encoding: chunked\r\n\r\n10000\r\nx"
)
MEBIBYTE = 1024 * 1024


@pytest.fixture(scope="module")
def hasty(new_server):
    """A Served that closes connections which are idle for a second."""
    with new_server(IDLE_SECONDS="1") as served:
        yield served


def test_a_request_that_does_not_arrive_holds_no_thread(server):
    for sent in (SILENT, HALF_A_HEAD, SILENT_UPLOAD):
        with server.attacked_by(20, sent) as clients:
            assert server.serves()
            assert answered(clients) == []


@pytest.mark.long
def test_idle_connections_are_closed_in_time(hasty):
    sent = (b"", SILENT, HALF_A_HEAD, HEALTH)
    with contextlib.ExitStack() as stack:
        attacks = [stack.enter_context(hasty.attacked_by(5, one)) for one in sent]
        answers = [{client.rest().count(b"HTTP/1.1") for client in clients} for clients in attacks]
    assert answers == [{0}, {0}, {0}, {1}]
    assert "Traceback" not in hasty.log()


def test_a_slow_body_that_moves_is_taken(hasty):
    body = json.dumps({"refresh_token": "x" * 15_000}).encode()
    with hasty.connect(REFRESH + b"Content-Length: %d\r\n\r\n" % len(body)) as client:
        for start in range(0, len(body), 2_500):
            time.sleep(0.3)
            client.send(body[start : start + 2_500])
        assert problem(client.answer())[0] in (401, 422)


def test_readers_that_read_nothing_hold_no_thread(server, large_copy, member):
    with server.attacked_by(8, get(large_copy, member), room=4096) as clients:
        wait_until(lambda: len(answered(clients)) == 8)
        assert server.serves()


def test_a_reader_that_is_slow_gets_everything(server, large_copy, member):
    with server.connect(get(large_copy, member), room=65536) as client:
        time.sleep(0.8)
        assert len(client.answer()) > LARGE


def test_an_export_that_nobody_reads_is_bounded_and_cut_and_gives_its_slot_back(hasty, organization, owner, admin):
    # Their export is larger than what waits for its reader.
    many_leads = "insert into app.leads (organization_id, first_name, notes) select %s, 'Pat', repeat('x', 2000) from "
    owner.execute(f"{many_leads} generate_series(1, 15000)", [organization.id])
    assert hasty.serves()
    before = hasty.web_process().memory_info().rss
    with hasty.attacked_by(4, get("/api/leads/export", admin), room=4096) as clients, contextlib.suppress(OSError):
        wait_until(lambda: "answer cut" in hasty.log(), hasty.log)
        assert hasty.serves()
        assert hasty.web_process().memory_info().rss - before < 24 * MEBIBYTE
        assert not any(client.rest().endswith(b"\r\n0\r\n\r\n") for client in clients)
    wait_until(lambda: exports(hasty, admin))


def exports(server, admin):
    """Whether an export comes to its end; without a slot it is refused."""
    with server.connect(get("/api/leads/export", admin)) as client:
        return client.ending().endswith(b"\r\n0\r\n\r\n")
