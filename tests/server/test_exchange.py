"""What a client may expect of HTTP/1.1, asked through a raw socket."""

import json

import pytest

from tests.contracts.support import pdf_file
from tests.leads.csv_files import FORM, multipart
from tests.server.clients import HEALTH, REFRESH, asking, get, problem

BODY = json.dumps({"refresh_token": "x"}).encode()
MEBIBYTE = 1024 * 1024


def test_a_connection_serves_one_request_after_the_other(server):
    with server.connect() as client:
        for _ in range(3):
            client.send(HEALTH)
            assert client.answer().startswith(b"HTTP/1.1 200")


def test_requests_that_are_sent_together_are_answered_in_their_order(server):
    refresh = REFRESH + b"Content-Length: %d\r\n\r\n%b" % (len(BODY), BODY)
    with server.connect(HEALTH + refresh + HEALTH) as client:
        assert [client.answer().split()[1] for _ in range(3)] == [b"200", b"401", b"200"]


def test_empty_lines_between_requests_are_skipped_and_each_request_is_answered(server):
    with server.connect(b"\r\n\r\n".join([HEALTH] * 20)) as client:
        assert [client.answer().split()[1] for _ in range(20)] == [b"200"] * 20


def test_what_follows_a_chunked_body_is_the_next_request(server):
    chunked = REFRESH + b"Transfer-Encoding: chunked\r\n\r\n%x;a=b\r\n%b\r\n0\r\nX: y\r\n\r\n" % (len(BODY), BODY)
    with server.connect(chunked + HEALTH) as client:
        assert [client.answer().split()[1] for _ in range(2)] == [b"401", b"200"]


def test_what_has_no_body_leaves_the_connection_open(server, admin):
    with server.connect(get("/api/auth/sessions", admin).replace(b"GET", b"OPTIONS")) as client:
        assert client.answer().startswith(b"HTTP/1.1 204")
        client.send(get("/api/organization", admin))
        tag = next(line for line in client.answer().split(b"\r\n") if line.lower().startswith(b"etag"))
        client.send(get("/api/organization", admin)[:-2] + tag.replace(b"ETag", b"If-None-Match") + b"\r\n\r\n")
        assert client.answer().startswith(b"HTTP/1.1 304")
        client.send(HEALTH)
        assert client.answer().startswith(b"HTTP/1.1 200")


def test_who_pipelines_and_reads_nothing_holds_no_thread(server):
    large = b"GET /openapi.json HTTP/1.1\r\nHost: x\r\n\r\n" * 100
    with server.attacked_by(8, large, room=2048) as clients:
        assert all(client.socket.recv(1) for client in clients)
        assert server.serves()


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
    assert answers.count(b'{"status": "ok"}') == 1


def test_an_old_client_gets_a_connection_that_closes_and_no_chunks(server, admin):
    with server.connect(get("/api/leads/export", admin, "1.0")) as client:
        answer = client.rest()
    assert b"Connection: close" in answer
    assert b"chunked" not in answer
    assert answer.endswith(b"external_id\r\n")


def test_an_old_client_may_keep_its_connection(server):
    kept = b"GET /healthz HTTP/1.0\r\nConnection: keep-alive\r\n\r\n"
    with server.connect(kept + kept) as client:
        assert b"Connection: keep-alive" in client.answer()
        assert client.answer().startswith(b"HTTP/1.1 200")


def test_who_asks_for_the_end_gets_it_after_the_answer(server):
    with server.connect(HEALTH.replace(b"\r\n\r\n", b"\r\nConnection: close\r\n\r\n")) as client:
        assert b"Connection: close" in client.rest()


def test_an_export_comes_in_chunks_and_the_connection_goes_on(server, admin):
    head = get("/api/leads/export", admin).replace(b"GET", b"HEAD")
    with server.connect(head) as client:
        client.answer()
        client.send(get("/api/leads/export", admin))
        assert b"Transfer-Encoding: chunked" in client.answer()
        client.ending()
        client.send(HEALTH)
        assert client.answer().startswith(b"HTTP/1.1 200")


def test_who_hangs_up_early_is_forgotten(server, large_copy, member):
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


@pytest.mark.parametrize(
    ("fields", "body", "expected", "words"),
    [
        (
            "Idempotency-Key: a\r\nIdempotency-Key: b",
            b"{}",
            (400, "malformed_request"),
            "the field Idempotency-Key twice",
        ),
        ("Idempotency-Key: a, b", b'{"first_name": "Pat"}', (422, "validation_failed"), "be sent once"),
        ("Host: y", b"{}", (400, "malformed_request"), "the field Host twice"),
        ("Host:", b"{}", (400, "malformed_request"), "no field Host"),
        ("Content-Encoding: gzip", b"{}", (415, "unsupported_media_type"), "without a Content-Encoding"),
        ("X: y", b"\xef\xbb\xbf{}", (400, "malformed_json"), "byte order mark"),
    ],
)
def test_what_cannot_be_meant_is_told_in_words(server, member, fields, body, expected, words):
    host = "" if fields == "Host:" else "Host: x\r\n"
    fields = "X: y" if fields == "Host:" else fields
    with server.connect(asking("POST /api/leads", f"{host}{fields}", body, member)) as client:
        answer = client.answer()
    assert problem(answer) == expected
    assert words in answer.decode()


@pytest.mark.parametrize(("form", "word"), [("W/{}", "weak"), ("5f3a", "quotes")])
def test_a_tag_that_can_never_match_is_told_why(server, member, form, word):
    lead = member.post("/api/leads", {"first_name": "Pat"}, status=201)
    fields = f"Host: x\r\nIf-Match: {form.format(lead.headers['ETag'])}"
    with server.connect(asking(f"PATCH /api/leads/{lead.json['id']}", fields, b"{}", member)) as client:
        answer = client.answer()
    assert problem(answer) == (412, "precondition_failed")
    assert word in answer.decode()
