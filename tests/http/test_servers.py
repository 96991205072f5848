"""The web server, spoken to through a raw socket: garbage gets a 4xx or a closed connection, and serving goes on."""

import json
import socket

import pytest

from tests.http.processes import complete, pour, speak, status, web_process
from tests.waiting import SECONDS

# A server that waits for more has nothing to say: seconds after which that is believed.
SILENCE = 1.5
BODY = b'{"email": "nobody@example.com", "password": "secret"}'
LOGIN = b"POST /api/auth/login HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n"
MEBIBYTE = 1024 * 1024


@pytest.fixture(scope="module")
def server(login_url, tmp_path_factory):
    """A running server: its process and its port."""
    log = tmp_path_factory.mktemp("server") / "log"
    with web_process(login_url, log, "alone", RATE_LIMIT_FACTOR="1000") as running:
        yield running


def problem(answer):
    """The problem document of an answer."""
    head, _, body = answer.partition(b"\r\n\r\n")
    assert b"application/problem+json" in head.lower()
    return json.loads(body)


def assert_serving(server):
    process, port = server
    assert process.poll() is None
    answer = speak(port, LOGIN + b"Content-Length: %d\r\n\r\n" % len(BODY) + BODY)
    assert problem(answer)["code"] == "invalid_credentials"


@pytest.mark.parametrize(
    "garbage",
    [
        b"\r\n\r\n",
        b"hello\r\n\r\n",
        b"GET\r\n\r\n",
        b"GET /nothing\r\n\r\n",
        b"GET /nothing HTTP/9.9\r\nHost: x\r\n\r\n",
        b"GET  /  HTTP/1.1\r\n\r\n",
        b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03\r\n\r\n",
        b"\x00" * 100 + b"\r\n\r\n",
        b"GET /\x00 HTTP/1.1\r\nHost: x\r\n\r\n",
        b"GET / HTTP/1.1\r\nHost x\r\n\r\n",
        b"GET / HTTP/1.1\r\n: x\r\n\r\n",
        b"GET / HTTP/1.1\r\nHost: x\r\nA\x00B: x\r\n\r\n",
        b"GET / HTTP/1.1\r\nHost: x\r\nA: \x00\r\n\r\n",
        b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
        b"GET http://[::1 HTTP/1.1\r\nHost: x\r\n\r\n",
        LOGIN + b"Content-Length: -1\r\n\r\n",
        LOGIN + b"Content-Length: abc\r\n\r\n",
        LOGIN + b"Content-Length: 1\r\nContent-Length: 2\r\n\r\n{}",
        LOGIN + b"Content-Length: " + b"9" * 40 + b"\r\n\r\n{}",
        LOGIN + b"Transfer-Encoding: chunked\r\n\r\nzz\r\n{}\r\n0\r\n\r\n",
        LOGIN + b"Transfer-Encoding: nonsense\r\n\r\n{}",
        LOGIN + b"Transfer-Encoding: chunked\r\nContent-Length: 5\r\n\r\n0\r\n\r\n",
        LOGIN + b"Content-Length: 100\r\n\r\n{",
    ],
    ids=lambda garbage: repr(garbage[-40:]),
)
def test_garbage_is_refused_without_a_word_about_the_inside(garbage, server):
    answer = speak(server[1], garbage, seconds=SILENCE)
    assert b"Traceback" not in answer
    assert b".py" not in answer
    assert status(answer) is None or 400 <= status(answer) < 500 or status(answer) in (501, 505)
    assert_serving(server)


def test_oversized_headers_are_refused(server):
    answer = speak(server[1], b"GET /healthz HTTP/1.1\r\nHost: x\r\n" + b"A: " + b"x" * 2 * MEBIBYTE + b"\r\n\r\n")
    assert status(answer) in (None, 400, 413, 431)
    assert_serving(server)


def test_a_very_long_url_is_refused(server):
    answer = speak(server[1], b"GET /" + b"x" * 2 * MEBIBYTE + b" HTTP/1.1\r\nHost: x\r\n\r\n")
    assert status(answer) in (None, 400, 404, 413, 414, 431)
    assert_serving(server)


def test_a_body_whose_length_is_too_large_is_refused(server):
    body = b" " * (MEBIBYTE + 1)
    answer = speak(server[1], LOGIN + b"Content-Length: %d\r\n\r\n" % len(body) + body)
    assert problem(answer)["code"] == "body_too_large"
    assert_serving(server)


def test_a_chunked_body_is_too_large_by_its_own_length(server):
    chunk = b"%x\r\n" % (MEBIBYTE // 4) + b" " * (MEBIBYTE // 4) + b"\r\n"
    answer = speak(server[1], LOGIN + b"Transfer-Encoding: chunked\r\n\r\n", *[chunk] * 5, b"0\r\n\r\n")
    assert problem(answer)["code"] == "body_too_large"
    assert_serving(server)


def test_a_chunked_body_is_read_however_it_is_cut(server):
    pieces = [b"1\r\n%c\r\n" % byte for byte in BODY]
    answer = speak(server[1], LOGIN + b"Transfer-Encoding: chunked\r\n\r\n", *pieces, b"0\r\n\r\n")
    assert problem(answer)["code"] == "invalid_credentials"


def test_an_upload_without_end_is_refused_while_it_comes(server, member):
    part = b'--b\r\nContent-Disposition: form-data; name="file"; filename="signed.pdf"\r\n\r\n'
    head = (
        b"POST /api/contracts/1/executed HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n"
        b"Content-Type: multipart/form-data; boundary=b\r\nAuthorization: %b\r\n\r\n%x\r\n%b\r\n"
    ) % (member.headers["Authorization"].encode(), len(part), part)
    answer, mebibytes = pour(server[1], head, b"%x\r\n" % MEBIBYTE + b"x" * MEBIBYTE + b"\r\n", most=60)
    assert status(answer) == 413
    assert 25 <= mebibytes < 60
    assert_serving(server)


def test_a_client_that_expects_to_be_asked_is_asked(server):
    with socket.create_connection(("127.0.0.1", server[1]), timeout=SECONDS) as connection:
        connection.sendall(LOGIN + b"Expect: 100-continue\r\nContent-Length: %d\r\n\r\n" % len(BODY))
        answer = connection.recv(65536)
        assert answer.startswith(b"HTTP/1.1 100")
        connection.sendall(BODY)
        while not complete(answer.partition(b"\r\n\r\n")[2]):
            answer += connection.recv(65536)
    assert problem(answer.partition(b"\r\n\r\n")[2])["code"] == "invalid_credentials"


def test_garbage_behind_a_good_request_spoils_only_itself(server):
    good = LOGIN + b"Content-Length: %d\r\n\r\n" % len(BODY) + BODY
    answer = speak(server[1], good + b"\x00\xff garbage\r\n\r\n")
    assert status(answer) in (None, 400, 401)
    assert b"Traceback" not in answer
    assert_serving(server)


def test_clients_that_leave_in_the_middle_do_no_harm(server):
    for _ in range(20):
        with socket.create_connection(("127.0.0.1", server[1]), timeout=SECONDS) as connection:
            connection.sendall(LOGIN + b"Content-Length: 1000\r\n\r\n{")
    assert_serving(server)


@pytest.mark.parametrize(
    "path", [b"/%ff", b"/\xff", b"/api/interview-templates?%ff", b"/api/interview-templates?\xff", b"/%00"]
)
def test_a_url_that_is_no_text_is_refused_behind_a_real_server_too(path, server):
    answer = speak(server[1], b"GET " + path + b" HTTP/1.1\r\nHost: x\r\n\r\n")
    assert status(answer) in (None, 400)
    assert_serving(server)
