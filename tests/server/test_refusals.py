"""Invalid or ambiguous requests (RFC 9112): a problem document, and the connection closes."""

import pytest

from tests.server.clients import HEALTH, REFRESH, problem

GET = b"GET /healthz HTTP/1.1\r\n"
HOST = b"Host: x\r\n"
CHUNKED = REFRESH + b"Transfer-Encoding: chunked\r\n\r\n"
BODY = b'{"refresh_token": "x"}'
SENT = b"Content-Length: %d\r\n" % len(BODY)
REFUSED = {
    "no Host": GET + b"\r\n",
    "two Hosts": GET + HOST + b"host: y\r\n\r\n",
    "raw bytes in the path": b"GET /\xc3\xa9 HTTP/1.1\r\n" + HOST + b"\r\n",
    "raw bytes behind two slashes": b"GET //\xff HTTP/1.1\r\n" + HOST + b"\r\n",
    "raw bytes in the query": b"GET /healthz?\xff HTTP/1.1\r\n" + HOST + b"\r\n",
    "a fragment": b"GET /healthz#a HTTP/1.1\r\n" + HOST + b"\r\n",
    "an address that cannot be read": b"GET http://[::1 HTTP/1.1\r\n" + HOST + b"\r\n",
    "no path": b"OPTIONS * HTTP/1.1\r\n" + HOST + b"\r\n",
    "another scheme": b"GET file:///etc HTTP/1.1\r\n" + HOST + b"\r\n",
    "a tunnel": b"CONNECT x:80 HTTP/1.1\r\n" + HOST + b"\r\n",
    "no version": b"GET /healthz\r\n" + HOST + b"\r\n",
    "another version": b"GET /healthz HTTP/2.0\r\n" + HOST + b"\r\n",
    "two blanks": b"GET  /healthz HTTP/1.1\r\n" + HOST + b"\r\n",
    "a method in small letters": b"get /healthz HTTP/1.1\r\n" + HOST + b"\r\n",
    "TLS": b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03\r\n\r\n",
    "a folded field": GET + HOST + b"A: b\r\n c\r\n\r\n",
    "a folded first field": GET + b" A: b\r\n" + HOST + b"\r\n",
    "a line feed alone": GET + HOST + b"A: b\nC: d\r\n\r\n",
    "a carriage return alone": GET + HOST + b"A: b\rC: d\r\n\r\n",
    "a blank before the colon": REFRESH + b"Content-Length : 5\r\n\r\n12345",
    "a field without a name": GET + HOST + b": b\r\n\r\n",
    "NUL": GET + HOST + b"A: \x00\r\n\r\n",
    "two authorizations": GET + HOST + b"Authorization: a\r\nAuthorization: b\r\n\r\n",
    "two keys": REFRESH + b"Idempotency-Key: a\r\nIdempotency-Key: b\r\n\r\n",
    "two lengths": REFRESH + b"Content-Length: 5\r\nContent-Length: 5\r\n\r\n12345",
    "a list of lengths": REFRESH + b"Content-Length: 5, 5\r\n\r\n12345",
    "a length with a sign": REFRESH + b"Content-Length: +5\r\n\r\n12345",
    "a negative length": REFRESH + b"Content-Length: -1\r\n\r\n",
    "a length of many digits": REFRESH + b"Content-Length: " + b"9" * 5000 + b"\r\n\r\n",
    "a length and chunks": REFRESH + SENT + b"Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
    "chunks and a length": REFRESH + b"Transfer-Encoding: chunked\r\n" + SENT + b"\r\n0\r\n\r\n",
    "an unknown coding": REFRESH + b"Transfer-Encoding: gzip\r\n\r\n",
    "a coding before chunks": REFRESH + b"Transfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n",
    "chunks twice": REFRESH + b"Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
    "chunks twice in a list": REFRESH + b"Transfer-Encoding: chunked, chunked\r\n\r\n0\r\n\r\n",
    "a coding behind a tab": REFRESH + b"Transfer-Encoding: \x0bchunked\r\n\r\n0\r\n\r\n",
    "chunks of an old client": REFRESH.replace(b"1.1", b"1.0")
    + b"Connection: keep-alive\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
    "a chunk without a size": CHUNKED + b"zz\r\n\r\n0\r\n\r\n",
    "a size with a line feed alone": CHUNKED + b"5\n12345\r\n0\r\n\r\n",
    "a size with two line feeds": CHUNKED + b"5\n\r\n12345\r\n0\r\n\r\n",
    "an extension with a line feed alone": CHUNKED + b"5;a\n\r\n12345\r\n0\r\n\r\n",
    "a size with a prefix": CHUNKED + b"0x5\r\n12345\r\n0\r\n\r\n",
    "a size of many digits": CHUNKED + b"000000005\r\n12345\r\n0\r\n\r\n",
    "a chunk that is longer than it says": CHUNKED + b"2\r\n12345\r\n0\r\n\r\n",
    "an endless extension": CHUNKED + b"5;" + b"a" * 2000,
    "chunks of a byte by the hundred thousand": CHUNKED + b"1;%b\r\n{\r\n" % (b"a" * 40) * 10_000,
    "an endless trailer": CHUNKED + b"0\r\n" + b"A: b\r\n" * 100_000,
}


@pytest.mark.parametrize("sent", REFUSED.values(), ids=REFUSED)
def test_a_malformed_request_is_a_problem_and_ends_the_connection(server, sent):
    with server.connect(sent + HEALTH) as client:
        answer = client.answer()
        assert problem(answer) == (400, "malformed_request")
        assert b"Connection: close" in answer
        assert client.rest() == b""


@pytest.mark.parametrize(
    ("sent", "expected"),
    [
        (REFRESH + b"Content-Length: 99999999\r\n\r\n", (413, "body_too_large")),
        (REFRESH + b"Expect: 100-continue\r\nContent-Length: 99999999\r\n\r\n", (413, "body_too_large")),
        (CHUNKED + b"40000\r\n%b\r\n" % (b" " * 0x40000) * 5 + b"0\r\n\r\n", (413, "body_too_large")),
        (GET + HOST + b"A: " + b"x" * 33_000 + b"\r\n\r\n", (431, "headers_too_large")),
        (b"GET /" + b"x" * 33_000 + b" HTTP/1.1\r\n", (431, "headers_too_large")),
    ],
)
def test_a_request_too_large_is_a_problem_at_once(server, sent, expected):
    with server.connect(sent) as client:
        assert problem(client.answer()) == expected


def test_a_refusal_has_the_id_that_was_asked_for_and_is_logged_and_counted(server):
    with server.connect(REFRESH + b"X-Request-Id: asked-7\r\nContent-Length: 99999999\r\n\r\n") as client:
        answer = client.answer()
    assert b"X-Request-Id: asked-7" in answer
    assert '"request_id":"asked-7"' in server.log()
    with server.connect(b"GET /metrics HTTP/1.1\r\nHost: x\r\n\r\n") as client:
        assert b'pipeline_refusals_total{code="body_too_large"}' in client.answer()


def test_a_request_that_expects_to_be_asked_for_no_body_is_not_mixed_with_the_next_one(server):
    with server.connect(HEALTH.replace(b"\r\n\r\n", b"\r\nExpect: 100-continue\r\n\r\n")) as client:
        assert client.answer().startswith(b"HTTP/1.1 200")
        client.send(REFRESH + SENT + b"\r\n" + BODY)
        assert problem(client.answer())[0] == 401
