"""Clients that are silent, slow or many, set upon one process of four threads: the others are answered as ever."""

import contextlib
import json
import time
from concurrent.futures import ThreadPoolExecutor

import pytest

from tests.server.clients import HEALTH, REFRESH, answered, get, problem
from tests.server.conftest import PATIENT
from tests.waiting import wait_until

SILENT = REFRESH + b"Content-Length: 200\r\n\r\n{"
# How the log tells what became of a reader that does not read.
CUT, BUSY = "answer cut", '"status":429'


def is_free(server, admin):
    """Whether the organization may make an export."""
    with server.connect(get("/api/leads/export?search=nobody", admin)) as client:
        return client.answer().split()[1] == b"200"


def test_silent_bodies_hold_no_thread(patient):
    with patient.attacked_by(12, SILENT) as clients:
        assert patient.serves()
        assert answered(clients) == []


def test_silent_bodies_end_with_408(server):
    with server.attacked_by(12, SILENT) as clients:
        assert [problem(client.rest()) for client in clients] == [(408, "request_timeout")] * 12
    assert '"code":"request_timeout"' in server.log()
    assert "Traceback" not in server.log()


def test_silent_uploads_hold_no_thread(patient):
    upload = b"POST /api/leads/import HTTP/1.1\r\nHost: x\r\nContent-Type: multipart/form-data; boundary=b\r\n"
    with patient.attacked_by(16, upload + b"Transfer-Encoding: chunked\r\n\r\n10000\r\nx") as clients:
        assert patient.serves()
        assert answered(clients) == []


HALF_A_HEAD = b"GET /healthz HTTP/1.1\r\nHost: x\r\nX-A: "


@pytest.mark.parametrize("begun", [HALF_A_HEAD, REFRESH + b"Content-Length: 99\r\n\r\n"], ids=["head", "body"])
def test_what_dribbles_ends_with_408_however_steadily(server, begun):
    with server.attacked_by(20, begun) as clients, ThreadPoolExecutor(20) as threads:
        sending = [threads.submit(client.dribble, b"x" * 80, 0.1) for client in clients]
        assert server.serves()
        assert not any(sent.result() for sent in sending)
        assert {problem(client.rest()) for client in clients} == {(408, "request_timeout")}


def test_a_slow_body_that_moves_is_taken(server):
    body = json.dumps({"refresh_token": "x" * 15_000}).encode()
    with server.connect(REFRESH + b"Content-Length: %d\r\n\r\n" % len(body)) as client:
        for start in range(0, len(body), 1_000):
            time.sleep(0.2)
            client.send(body[start : start + 1_000])
        assert problem(client.answer())[0] in (401, 422)


def test_three_hundred_idle_connections_hold_nothing(patient):
    assert patient.serves()
    before = patient.web_process().memory_info().rss
    with patient.attacked_by(300, b""):
        assert patient.serves()
        assert patient.web_process().memory_info().rss - before < 300 * 20_000


def test_idle_connections_are_closed_in_time(server):
    with server.attacked_by(100, b"") as clients:
        assert {client.rest() for client in clients} == {b""}


def test_readers_that_read_nothing_hold_no_thread(patient, large_copy, member):
    with patient.attacked_by(8, get(large_copy, member), room=4096) as clients:
        wait_until(lambda: len(answered(clients)) == 8)
        assert patient.serves()


def test_readers_that_read_nothing_are_cut_off(server, large_copy, member):
    with server.attacked_by(8, get(large_copy, member), room=4096) as clients:
        server.wait_for(CUT, BUSY, number=8)
        assert all(len(client.rest()) < 24 * 1024 * 1024 for client in clients)
    assert CUT in server.log()


def test_a_reader_that_is_slow_gets_everything(patient, large_copy, member):
    with patient.connect(get(large_copy, member), room=65536) as client:
        time.sleep(0.8)
        assert len(client.answer()) > 24 * 1024 * 1024


def test_exports_that_nobody_reads_are_made_at_once(patient, new_organization, owner):
    with contextlib.ExitStack() as unread:
        for organization in (new_organization(), new_organization(), new_organization()):
            owner.execute(
                "insert into app.leads (organization_id, first_name, notes) "
                "select %s, 'Pat', repeat('x', 2000) from generate_series(1, 10000)",
                (organization.id,),
            )
            client = unread.enter_context(patient.connect(get("/api/leads/export", organization.admin), room=4096))
            assert client.socket.recv(17) == b"HTTP/1.1 200 OK\r\n"
            assert patient.serves()
        # Made to its end, though nobody reads, the last one has given its slot back.
        wait_until(lambda: is_free(patient, organization.admin))


def test_an_export_beyond_the_disk_that_nobody_reads_is_cut(new_server, organization, admin):
    organization.owner.execute(
        "insert into app.leads (organization_id, first_name, notes) "
        "select %s, 'Pat', repeat('x', 2000) from generate_series(1, 10000)",
        (organization.id,),
    )
    with new_server(WEB_SPOOL_MIB="4") as server:
        with server.attacked_by(4, get("/api/leads/export", admin), room=4096) as clients:
            server.wait_for(CUT, BUSY, number=4)
            assert server.serves()
            assert not any(client.rest().endswith(b"\r\n0\r\n\r\n") for client in clients)
        with server.connect(get("/api/leads/export", admin)) as client:
            assert client.ending().endswith(b"\r\n0\r\n\r\n")


def test_an_address_with_too_many_connections_loses_those_that_wait(new_server):
    with new_server(**PATIENT, WEB_CONNECTIONS_PER_ADDRESS="10") as server:
        with server.attacked_by(30, SILENT, "127.0.0.2") as clients, server.connect(HEALTH, "127.0.0.2") as other:
            assert other.answer().startswith(b"HTTP/1.1 200")
            assert server.serves()
            wait_until(lambda: len(answered(clients)) >= 20)
            assert {problem(client.rest()) for client in answered(clients)} == {(429, "too_many_connections")}
        assert '"code":"too_many_connections"' in server.log()


def test_a_full_process_takes_room_from_the_address_that_has_most(new_server):
    with new_server(**PATIENT, WEB_CONNECTIONS="20") as server, server.connect(HEALTH, "127.0.0.3") as faithful:
        faithful.answer()
        with server.attacked_by(60, SILENT, "127.0.0.2"):
            assert server.serves()
            faithful.send(HEALTH)
            assert faithful.answer().startswith(b"HTTP/1.1 200")


def test_behind_a_proxy_its_connections_are_not_counted_together(new_server):
    with (
        new_server(WEB_CONNECTIONS_PER_ADDRESS="10", TRUSTED_PROXIES="1") as server,
        server.attacked_by(30, SILENT) as clients,
    ):
        assert [problem(client.rest())[0] for client in clients] == [408] * 30


def test_metrics_count_what_was_refused(server):
    with server.connect(REFRESH + b"Content-Length: 9999999\r\n\r\n") as client:
        assert problem(client.rest()) == (413, "body_too_large")
    with server.connect(b"GET /metrics HTTP/1.1\r\nHost: x\r\n\r\n") as client:
        assert b'pipeline_refusals_total{code="body_too_large"}' in client.answer()


def test_who_has_just_connected_is_not_the_first_to_give_way(new_server):
    with (
        new_server(**PATIENT, WEB_CONNECTIONS_PER_ADDRESS="10") as server,
        # From an address of their own: of whom the start has asked a connection may still be open.
        server.attacked_by(10, HALF_A_HEAD, "127.0.0.2") as clients,
        server.connect(address="127.0.0.2") as newcomer,
    ):
        wait_until(lambda: len(answered(clients)) == 1)
        with server.connect(HEALTH, "127.0.0.2") as another:
            assert another.answer().startswith(b"HTTP/1.1 200")
        newcomer.send(HEALTH)
        assert newcomer.answer().startswith(b"HTTP/1.1 200")
        wait_until(lambda: len(answered(clients)) == 2)
        assert [problem(client.rest()) for client in answered(clients)] == [(429, "too_many_connections")] * 2
