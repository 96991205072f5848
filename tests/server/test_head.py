"""The head of a request: what it becomes, and what is no request."""

import contextlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline.errors import Problem
from pipeline.server.head import parse


def environ(*lines, start="GET /a HTTP/1.1", host=("Host: x",)):
    return parse("\r\n".join([start, *host, *lines, "", ""]).encode("latin-1")).environ


@pytest.mark.parametrize(
    ("target", "path", "query"),
    [
        ("/a%20b?c=%20&d", "/a b", "c=%20&d"),
        ("http://x.example/a?b", "/a", "b"),
        ("https://x", "/", ""),
        ("/?", "/", ""),
        ("//x/y", "//x/y", ""),
        ("/%C3%A9", "/Ã©", ""),
    ],
)
def test_the_target_is_a_path_and_a_query(target, path, query):
    made = environ(start=f"GET {target} HTTP/1.1")
    assert (made["PATH_INFO"], made["QUERY_STRING"]) == (path, query)


def test_fields_that_are_repeated_are_one_list():
    made = environ("X-Forwarded-For: 1.1.1.1", "X-Forwarded-For:\t2.2.2.2 ", "Cookie: a=1", "Cookie: b=2")
    assert made["HTTP_X_FORWARDED_FOR"] == "1.1.1.1, 2.2.2.2"
    assert made["HTTP_COOKIE"] == "a=1; b=2"


def test_a_field_with_an_underscore_is_not_taken_for_another():
    assert environ("X-Forwarded-For: 1.1.1.1", "X_Forwarded_For: 6.6.6.6")["HTTP_X_FORWARDED_FOR"] == "1.1.1.1"


@pytest.mark.parametrize(
    "lines",
    [
        ["A : x"],
        ["A"],
        [": x"],
        [" folded: x"],
        ["A: x\ny: z"],
        ["A: x\ry"],
        ["A: \x00"],
        ["bad name: x"],
        ["Host: y"],
        ["Idempotency-Key: a", "Idempotency-Key: a"],
        ["Content-Length: 1", "Content-Length: 1"],
        ["Content-Length: +1"],
        ["Content-Length: 1, 1"],
        ["Content-Length: ١"],
        ["Content-Length: 1", "Transfer-Encoding: chunked"],
        ["Transfer-Encoding: gzip, chunked"],
        ["Transfer-Encoding: chunked", "Transfer-Encoding: chunked"],
        ["Transfer-Encoding: \x0bchunked"],
        [f"A{number}: x" for number in range(101)],
    ],
    ids=lambda lines: lines[0][:40],
)
def test_a_doubtful_field_is_refused(lines):
    with pytest.raises(Problem):
        parse("\r\n".join(["GET /a HTTP/1.1", "Host: x", *lines, "", ""]).encode())


@pytest.mark.parametrize(
    "start",
    [
        "GET /a",
        "GET  /a HTTP/1.1",
        "GET /a HTTP/1.2",
        "GET /a HTTP/2.0",
        "GET a HTTP/1.1",
        "CONNECT x:80 HTTP/1.1",
        "GET /a b HTTP/1.1",
        "G(T /a HTTP/1.1",
        "GET /a http/1.1",
        "OPTIONS * HTTP/1.1",
    ],
)
def test_a_doubtful_request_line_is_refused(start):
    with pytest.raises(Problem):
        environ(start=start)


def test_a_request_of_today_names_its_host():
    with pytest.raises(Problem):
        environ(host=())
    assert environ(start="GET /a HTTP/1.0", host=())["PATH_INFO"] == "/a"


@given(st.binary(max_size=200))
def test_whatever_is_sent_is_read_or_refused(content):
    with contextlib.suppress(Problem):
        assert parse(b"GET /a HTTP/1.1\r\nHost: x\r\n" + content + b"\r\n\r\n").environ["HTTP_HOST"] == "x"
