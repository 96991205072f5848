"""Bad requests get the right 4xx as problem+json, and store nothing."""

import json

import pytest
from webtest import TestApp

from tests.http.target import assert_problem
from tests.support import Api, codes

ENDPOINTS = ["login", "create template", "replace template", "create invite", "save answers"]
DEEP = 100_000

# What is no JSON at all, or not the JSON that can be read: 400 before any schema is asked.
UNREADABLE = {
    "blank body": b" \n",
    "a word": b"hello",
    "form data": b"email=a&password=b",
    "cut off": b'{"a": 1',
    "trailing comma": b'{"a": 1,}',
    "trailing garbage": b'{"a": 1} x',
    "two documents": b'{"a": 1}{"a": 2}',
    "single quotes": b"{'a': 1}",
    "comment": b'{"a": 1 /* one */}',
    "NaN": b'{"a": NaN}',
    "Infinity": b'{"a": Infinity}',
    "-Infinity": b'{"a": -Infinity}',
    "plus sign": b'{"a": +1}',
    "leading zero": b'{"a": 01}',
    "hexadecimal": b'{"a": 0x10}',
    "bare point": b'{"a": 1.}',
    "number of 5,000 digits": b'{"a": ' + b"9" * 5000 + b"}",
    "exponent of 30 digits": b'{"a": 1e' + b"9" * 30 + b"}",
    "raw NUL in a string": b'{"a": "\x00"}',
    "raw newline in a string": b'{"a": "\n"}',
    "broken escape": rb'{"a": "\x41"}',
    "half an escape": rb'{"a": "\u12"}',
    "byte order mark": b'\xef\xbb\xbf{"a": 1}',
    "UTF-16": '{"a": 1}'.encode("utf-16"),
    "UTF-32": '{"a": 1}'.encode("utf-32-le"),
    "Latin-1": b'{"a": "caf\xe9"}',
    "overlong UTF-8": b'{"a": "\xc0\xaf"}',
    "surrogate in UTF-8": b'{"a": "\xed\xa0\x80"}',
    "cut UTF-8": b'{"a": "\xe2\x82"}',
    "deep arrays": b"[" * DEEP + b"]" * DEEP,
    "deep objects": b'{"a":' * DEEP + b"1" + b"}" * DEEP,
    "deep and never closed": b"[" * DEEP,
    "900 arrays": b'{"answers": ' + b"[" * 900 + b"]" * 900 + b"}",
    "900 objects": b'{"a":' * 900 + b"1" + b"}" * 900,
    "101 levels": b'{"answers": ' + b"[" * 100 + b"]" * 100 + b"}",
    "gzip": b"\x1f\x8b\x08\x00\x00\x00\x00\x00",
}

# Good JSON that no endpoint accepts: 422, with the place.
REFUSED = {
    "null": (b"null", ("", "wrong_type")),
    "array": (b"[]", ("", "wrong_type")),
    "array of objects": (b"[{}]", ("", "wrong_type")),
    "string": (b'"text"', ("", "wrong_type")),
    "number": (b"1", ("", "wrong_type")),
    "true": (b"true", ("", "wrong_type")),
    "unknown field": (b'{"nonsense": 1}', ("nonsense", "unknown_field")),
    "empty name": (b'{"": 1}', ("", "unknown_field")),
    "prototype": (b'{"__proto__": {}}', ("__proto__", "unknown_field")),
    "huge exponent": (b'{"a": 1e999999}', ("a", "unknown_field")),
    "tiny exponent": (b'{"a": 1e-999999}', ("a", "unknown_field")),
    "4,000 digits": (b'{"a": ' + b"9" * 4000 + b"}", ("a", "unknown_field")),
    "duplicate key": (b'{"a": 1, "a": 2}', ("a", "duplicate_key")),
    "duplicate key, escaped": (rb'{"a": 1, "\u0061": 2}', ("a", "duplicate_key")),
    "duplicate key, nested": (b'{"a": [{"b": 1, "b": 1}]}', ("b", "duplicate_key")),
    "duplicate surrogate key": (rb'{"\ud800": 1, "\ud800": 2}', ("\N{REPLACEMENT CHARACTER}", "duplicate_key")),
    "NUL in a value": (rb'{"a": "x\u0000y"}', ("a", "invalid_characters")),
    "NUL in a name": (rb'{"a\u0000": 1}', ("a\N{REPLACEMENT CHARACTER}", "invalid_characters")),
    "high surrogate": (rb'{"a": "\ud800"}', ("a", "invalid_characters")),
    "low surrogate": (rb'{"a": "\uDFFF"}', ("a", "invalid_characters")),
    "surrogates in the wrong order": (rb'{"a": "\udc00\ud800"}', ("a", "invalid_characters")),
    "surrogate in a name": (rb'{"\udfff": 1}', ("\N{REPLACEMENT CHARACTER}", "invalid_characters")),
    "surrogate in nested data": (
        rb'{"answers": {"notes": ["a", {"b": "\ud800"}]}}',
        ("answers.notes.1.b", "invalid_characters"),
    ),
    "surrogate in a nested name": (
        rb'{"pages": [{"\ud800": 1}]}',
        ("pages.0.\N{REPLACEMENT CHARACTER}", "invalid_characters"),
    ),
}

MEDIA_TYPES = [
    None,
    "",
    "text/plain",
    "text/json",
    "application/xml",
    "application/json5",
    "application/problem+json",
    "application/x-www-form-urlencoded",
    "multipart/form-data; boundary=x",
    "json",
    ";",
    "application/json/x",
    "application/json; charset=utf-16",
    "application/json; charset=latin-1",
    "application/json; charset=nonsense",
    "application/json; charset=",
    'application/json; charset="utf-7"',
    "application/json; charset=idna",
]


@pytest.mark.parametrize("endpoint", ENDPOINTS)
def test_what_is_not_json_is_malformed(endpoint, target):
    before = target.stored()
    for body in UNREADABLE.values():
        assert_problem(target.send(endpoint, body), 400, "malformed_json")
    assert target.stored() == before


@pytest.mark.parametrize("endpoint", ENDPOINTS)
def test_json_of_the_wrong_form_is_refused_by_name(endpoint, target):
    before = target.stored()
    for body, violation in REFUSED.values():
        response = target.send(endpoint, body)
        assert_problem(response, 422, "validation_failed")
        assert violation in codes(response)
    assert target.stored() == before


@pytest.mark.parametrize("endpoint", ENDPOINTS)
def test_a_body_of_another_media_type_or_charset_is_refused(endpoint, target):
    before = target.stored()
    body = json.dumps(target.endpoints[endpoint].body).encode()
    for content_type in MEDIA_TYPES:
        assert_problem(target.send(endpoint, body, content_type=content_type), 415, "unsupported_media_type")
    assert target.stored() == before


@pytest.mark.parametrize(
    "content_type",
    [
        "application/json",
        "Application/JSON",
        "application/json; charset=utf-8",
        'application/json;charset="UTF-8"',
        "application/json ; Charset=utf8",
        "application/json; charset=us-ascii",
        "application/json; profile=x",
    ],
)
def test_json_may_be_named_in_every_usual_way(content_type, target):
    body = json.dumps(target.endpoints["replace template"].body).encode()
    assert target.send("replace template", body, content_type=content_type).status_int == 200


@pytest.fixture
def bodiless(target):
    """(API client, method, path) of endpoints that take no body, each a record that is there."""
    organization = target.organization
    invite = f"/api/interview-invites/{organization.invite(target.template)['id']}"
    lead = organization.member.post("/api/leads", {"first_name": "Pat"}, status=201).json["id"]
    return [
        (organization.member, "GET", invite),
        (organization.member, "PUT", f"{invite}/expire"),
        (organization.anonymous, "GET", target.endpoints["save answers"].path),
        (organization.member, "DELETE", f"/api/leads/{lead}"),
    ]


@pytest.mark.parametrize(
    ("raw", "content_type", "status", "code"),
    [
        (b'{"x": 1}', "application/json", 422, "validation_failed"),
        (b"[]", "application/json", 422, "validation_failed"),
        (b"{bad", "application/json", 400, "malformed_json"),
        (b"{}", "text/plain", 415, "unsupported_media_type"),
        (b"x" * (1024 * 1024 + 1), "application/json", 413, "body_too_large"),
    ],
)
def test_where_no_body_is_taken_one_is_refused_like_anywhere(raw, content_type, status, code, bodiless, target):
    before = target.stored()
    for client, method, path in bodiless:
        headers = {**client.headers, "Content-Type": content_type}
        answer = target.app.request(path, method=method, body=raw, headers=headers, status="*")
        assert_problem(answer, status, code)
    assert target.stored() == before


@pytest.mark.parametrize("raw", [b"", b"{}", b" { } "])
def test_where_no_body_is_taken_an_empty_one_does_no_harm(raw, bodiless):
    for client, method, path in bodiless:
        assert client.request(method, path, raw=raw).status_int in (200, 204)


@pytest.mark.parametrize("content_type", [None, "application/json"])
def test_an_empty_body_is_an_empty_object_where_nothing_is_needed(content_type, target):
    assert target.send("save answers", b"", content_type=content_type).status_int == 200
    assert_problem(target.send("create invite", b"", content_type="application/json"), 400, "malformed_json")


@pytest.mark.parametrize("endpoint", ENDPOINTS)
def test_a_body_of_exactly_one_mebibyte_is_read_and_a_larger_one_is_refused(endpoint, target):
    before = target.stored()
    body = b'{"nonsense": ""}'.ljust(1024 * 1024)
    assert_problem(target.send(endpoint, body), 422, "validation_failed")
    assert_problem(target.send(endpoint, body + b" "), 413, "body_too_large")
    assert target.stored() == before


@pytest.mark.parametrize("endpoint", ENDPOINTS)
def test_a_content_length_that_is_none_is_refused(endpoint, target):
    asked = target.endpoints[endpoint]
    headers = target.client(asked).headers
    unchecked = TestApp(target.app.app, lint=False)
    for length in ("-1", "abc", "1e3"):
        environ = {"CONTENT_LENGTH": length, "CONTENT_TYPE": "application/json", "REQUEST_METHOD": asked.method}
        assert_problem(unchecked.get(asked.path, extra_environ=environ, headers=headers, status="*"), 400)


@pytest.mark.parametrize(
    ("accept", "status"),
    [
        ("text/html", 406),
        ("image/png, text/*;q=0.5", 406),
        ("application/json;q=0", 406),
        ("*/*;q=0", 406),
        ("application/problem+json", 422),
        ("text/html, */*;q=0.1", 422),
        ("application/*", 422),
        ("", 422),
        (" ", 422),
        ("nonsense", 422),
        (";;,,", 422),
        ("application/json;q=nonsense", 422),
    ],
)
def test_an_accept_header_is_refused_only_when_it_admits_no_json(accept, status, target):
    for endpoint in ENDPOINTS:
        assert_problem(target.send(endpoint, b"{}" if endpoint != "save answers" else b"[]", Accept=accept), status)


@pytest.mark.parametrize(
    ("query", "violation"),
    [
        ("?x=1", ("x", "unknown_parameter")),
        ("?x", ("x", "unknown_parameter")),
        ("?=", ("", "unknown_parameter")),
        ("?x=1&x=2", ("x", "repeated")),
        ("?%F0%9F%90%98=1", ("\N{ELEPHANT}", "unknown_parameter")),
    ],
)
def test_a_query_where_none_is_taken_is_refused(query, violation, target):
    for endpoint in ENDPOINTS[:-1]:  # a form takes whatever its link says
        response = target.send(endpoint, json.dumps(target.endpoints[endpoint].body).encode(), query=query)
        assert_problem(response, 422, "validation_failed")
        assert codes(response) == [violation]
        assert response.json["errors"][0]["location"] == "query"


@pytest.mark.parametrize("endpoint", ENDPOINTS)
def test_thousands_of_mistakes_are_answered_shortly(endpoint, target):
    many = {f"field{number}": 1 for number in range(50_000)}
    response = target.send(endpoint, json.dumps(many).encode())
    assert_problem(response, 422)
    assert len(response.json["errors"]) == 200


def test_many_unstorable_strings_under_a_long_name_are_answered_shortly(target):
    body = json.dumps({"x" * 400_000: ["\0"] * 50_000}).encode()
    response = target.send("login", body)
    assert_problem(response, 422)
    assert len(response.body) < 100_000


def test_a_repeated_name_is_found_among_many_without_comparing_all_with_all(target):
    members = ",".join(f'"{number}":0' for number in range(90_000))
    response = target.send("login", f'{{{members},"89999":0}}'.encode())
    assert codes(response) == [("89999", "duplicate_key")]


def test_thousands_of_query_parameters_are_answered_shortly(target):
    query = "&".join(str(number) for number in range(50_000))
    response = target.organization.member.get(f"/api/interview-invites?{query}")
    assert_problem(response, 422)
    assert len(response.json["errors"]) == 200


def test_bodies_are_refused_before_they_are_read_from_strangers(target):
    stranger = Api(target.app)
    assert_problem(stranger.post("/api/interview-templates", raw=b"{"), 401, "unauthenticated")
