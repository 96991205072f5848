"""HTTP/1.1 as clients expect it, tested through a raw socket."""

import json
import socket
import threading
import time

import pytest

from pipeline.http.server.exchange import Channel
from pipeline.http.server.serving import WebServer
from tests.contracts.support import pdf_file
from tests.leads.csv_files import FORM, multipart
from tests.server.clients import HEALTH, REFRESH, Client, answered, get, problem

BODY = json.dumps({"refresh_token": "x"}).encode()
SENT = b"Content-Length: %d\r\n" % len(BODY)
CHUNKED = REFRESH + b"Transfer-Encoding: chunked\r\n\r\n"
# (requests that are sent at once, the statuses of the answers)
ANSWERED = {
    "a body between two": (HEALTH + REFRESH + SENT + b"\r\n" + BODY + HEALTH, [200, 401, 200]),
    "empty lines between": (b"\r\n\r\n".join([HEALTH] * 20), [200] * 20),
    "chunks before another": (CHUNKED + b"%x;a=b\r\n%b\r\n0\r\nX: y\r\n\r\n" % (len(BODY), BODY) + HEALTH, [401, 200]),
    "chunks of a byte": (CHUNKED + b"".join(b"1\r\n%c\r\n" % byte for byte in BODY) + b"0\r\n\r\n", [401]),
    "names with an underscore": (
        REFRESH + SENT + b"Content_Length: 3\r\nTransfer_Encoding: chunked\r\n\r\n" + BODY + HEALTH,
        [401, 200],
    ),
    "a whole address": (b"GET http://x.example/healthz?a=b HTTP/1.1\r\nHost: x\r\n\r\n", [200]),
}
MEBIBYTE = 1024 * 1024


def chunk(size):
    return b"%x\r\n%b\r\n" % (size, b" " * size)


@pytest.mark.parametrize(("sent", "statuses"), ANSWERED.values(), ids=ANSWERED)
def test_each_request_is_answered_and_in_their_order(server, sent, statuses):
    with server.connect(sent) as client:
        answers = [client.answer() for _ in statuses]
    assert [200 if answer.startswith(b"HTTP/1.1 200") else problem(answer)[0] for answer in answers] == statuses


class SlowLoop(Channel):
    """Notes what follows a request only after a thread has answered the request."""

    def __setattr__(self, name, value):
        if name == "rest":
            time.sleep(0.05)
        super().__setattr__(name, value)


def test_a_thread_that_is_faster_than_the_loop_leaves_no_request_unanswered(monkeypatch):
    def hello(_environ, start):
        start("200 OK", [("Content-Length", "0")])
        return [b""]

    monkeypatch.setattr(WebServer, "channel_class", SlowLoop)
    with socket.create_server(("127.0.0.1", 0)) as listener:
        server = WebServer(hello, listener, threads=1)
        loop = threading.Thread(target=server.run)
        loop.start()
        with Client(listener.getsockname()[1], HEALTH * 3) as client:
            assert [client.answer()[:12] for _ in range(3)] == [b"HTTP/1.1 200"] * 3
        server.stop()
        loop.join()


def test_an_upload_without_end_is_refused_while_it_comes(server, member):
    part = b'--b\r\nContent-Disposition: form-data; name="file"; filename="signed.pdf"\r\n\r\n'
    head = (
        b"POST /api/contracts/1/executed HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n"
        b"Content-Type: multipart/form-data; boundary=b\r\nAuthorization: %b\r\n\r\n%x\r\n%b\r\n"
    ) % (member.headers["Authorization"].encode(), len(part), part)
    with server.connect(head) as client:
        sent = 0
        while sent < 60 and not answered([client]) and client.send(chunk(MEBIBYTE)):
            sent += 1
        assert 25 <= sent < 60
        assert client.answer().startswith(b"HTTP/1.1 413")


def test_a_client_that_expects_to_be_asked_is_asked(server):
    with server.connect(REFRESH + b"Expect: 100-continue\r\nContent-Length: %d\r\n\r\n" % len(BODY)) as client:
        assert client.answer().startswith(b"HTTP/1.1 100")
        client.send(BODY)
        assert problem(client.answer())[0] == 401


def test_a_response_without_body_leaves_the_connection_open(server, admin):
    with server.connect(get("/api/auth/sessions", admin).replace(b"GET", b"OPTIONS")) as client:
        assert client.answer().startswith(b"HTTP/1.1 204")
        client.send(get("/api/organization", admin))
        tag = next(line for line in client.answer().split(b"\r\n") if line.lower().startswith(b"etag"))
        client.send(get("/api/organization", admin)[:-2] + tag.replace(b"ETag", b"If-None-Match") + b"\r\n\r\n")
        assert client.answer().startswith(b"HTTP/1.1 304")
        client.send(HEALTH)
        assert client.answer().startswith(b"HTTP/1.1 200")


def test_a_pipelining_client_that_reads_nothing_holds_no_thread(server):
    large = b"GET /openapi.json HTTP/1.1\r\nHost: x\r\n\r\n" * 100
    with server.attacked_by(8, large, room=2048) as clients:
        assert all(client.socket.recv(1) for client in clients)
        assert server.serves()


def test_a_response_nobody_takes_is_not_read_again_for_each_try(server):
    large = b"GET /openapi.json HTTP/1.1\r\nHost: x\r\n\r\n"
    before = server.web_process().io_counters().read_chars
    with server.attacked_by(8, large, room=2048) as clients:
        assert all(client.socket.recv(1) for client in clients)
        assert server.serves()
        assert server.web_process().io_counters().read_chars - before < 8 * MEBIBYTE // 2


def test_a_body_that_is_longer_than_it_says_is_no_request_of_its_own(server):
    with server.connect(REFRESH + b"Content-Length: %d\r\n\r\n%b" % (len(BODY), BODY + b"}}}\r\n\r\n")) as client:
        assert client.answer().split()[1] == b"401"
        assert problem(client.rest()) == (400, "malformed_request")


def test_a_body_that_ends_early_is_nobodys(server):
    with server.connect(REFRESH + b"Content-Length: 200\r\n\r\n{") as client:
        client.socket.shutdown(1)
        assert client.rest() == b""
    assert server.serves()


def test_head_tells_the_length_and_sends_nothing(server):
    head, last = HEALTH.replace(b"GET", b"HEAD"), HEALTH.replace(b"\r\n\r\n", b"\r\nConnection: close\r\n\r\n")
    with server.connect(head + last) as client:
        answers = client.rest()
    assert answers.count(b"Content-Length: 16\r\n") == 2
    assert b"Connection: close" in answers
    assert answers.count(b'{"status": "ok"}') == 1


def test_an_old_client_gets_a_connection_that_closes_and_no_chunks(server, admin):
    with server.connect(get("/api/leads/export", admin, "1.0")) as client:
        answer = client.rest()
    assert b"Connection: close" in answer
    assert b"chunked" not in answer
    assert answer.endswith(b"external_id\r\n")


def test_an_export_comes_in_chunks_and_the_connection_goes_on(server, admin):
    head = get("/api/leads/export", admin).replace(b"GET", b"HEAD")
    with server.connect(head) as client:
        client.answer()
        client.send(get("/api/leads/export", admin))
        assert b"Transfer-Encoding: chunked" in client.answer()
        client.ending()
        client.send(HEALTH)
        assert client.answer().startswith(b"HTTP/1.1 200")


def test_a_client_that_hangs_up_early_is_forgotten(server, large_copy, member):
    for _ in range(10):
        with server.connect(get(large_copy, member)) as client:
            client.socket.recv(1000)
    assert server.serves()
    assert "Traceback" not in server.log()


@pytest.mark.long
def test_large_files_go_in_and_out_in_constant_memory(server, large_copy, member):
    form = multipart(pdf_file(b"%" * 24 * MEBIBYTE), "file", "signed.pdf")
    head = (
        f"POST {large_copy} HTTP/1.1\r\nHost: x\r\nAuthorization: {member.headers['Authorization']}\r\n"
        f"Content-Type: {FORM}\r\nContent-Length: {len(form)}\r\n\r\n"
    )
    assert server.serves()
    before = server.web_process().memory_info().rss
    most = [before]
    for sent, status in ((get(large_copy, member), b"200"), (head.encode() + form, b"201")):
        left = 4
        for _time in range(8):
            left -= served(server, left, sent, status, most)
        assert left == 0
    assert max(most) - before < 24 * MEBIBYTE


def served(server, number, sent, status, memory):
    """Of so many equal requests at once, how many were answered with this status.

    Each of the others is refused because of those of its own organization that are under way, and may come again.
    Notes the process's memory meanwhile.
    """
    with server.attacked_by(number, sent) as clients:
        answers = []
        for client in clients:
            memory.append(server.web_process().memory_info().rss)
            answers.append(client.answer())
    refused = [answer for answer in answers if answer.split()[1] != status]
    assert {problem(answer) for answer in refused} <= {(429, "busy")}
    return number - len(refused)
