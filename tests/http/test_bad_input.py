"""Bad requests get the right 4xx as problem+json, and store nothing."""

import json

import pytest

from tests.http.target import assert_problem
from tests.support import TEMPLATE, Api, codes

ENDPOINTS = ["login", "create template", "replace template", "create invite", "save answers"]
DEEP = 100_000
TOO_DEEP, TOO_LARGE = "nested too deep: at most 100 levels are allowed", "a number that is too large"

# (no JSON at all, or not the JSON that can be read, and what the answer says of it)
UNREADABLE = [
    (b" \n", ""),
    (b"email=a&password=b", "line 1, column 1"),
    (b'{\n  "a": 1,\n  b}', "line 3, column 3"),
    (b'{"first_name": }', "line 1, column 16"),
    (b'{"a": 1} x', ""),
    (b'{"a": 1,}', ""),
    (b'{"a": NaN}', "NaN"),
    (b'{"a": -Infinity}', "-Infinity"),
    (b'{"a": ' + b"9" * 5000 + b"}", TOO_LARGE),
    (b'{"a": 1e' + b"9" * 30 + b"}", TOO_LARGE),
    (b'{"a": "\x00"}', ""),
    (b"\xef\xbb\xbf{}", "byte order mark"),
    ('{"a": 1}'.encode("utf-16"), ""),
    (b'{"a": "caf\xe9"}', "byte 11 is not UTF-8"),
    (b"[" * DEEP + b"]" * DEEP, TOO_DEEP),
    (b'{"a":' * DEEP + b"1" + b"}" * DEEP, TOO_DEEP),
    (b'{"a": ' + b"[" * 100 + b"]" * 100 + b"}", TOO_DEEP),
]
# (good JSON that no endpoint accepts, the place, the code)
REFUSED = [
    (b"null", "", "wrong_type"),
    (b"[]", "", "wrong_type"),
    (b'"text"', "", "wrong_type"),
    (b'{"nonsense": 1}', "nonsense", "unknown_field"),
    (b'{"": 1}', "", "unknown_field"),
    (b'{"__proto__": {}}', "__proto__", "unknown_field"),
    (b'{"a": 1e999999}', "a", "unknown_field"),
    (rb'{"a": 1, "\u0061": 2}', "a", "duplicate_key"),
    (b'{"a": [{"b": 1, "b": 1}]}', "a.0.b", "duplicate_key"),
    (b'{"a": 1, "b": {"c": 1, "c": 1}}', "a", "unknown_field"),
    (rb'{"a": 1, "b": "\u0000"}', "a", "unknown_field"),
    (rb'{"\ud800": 1, "\ud800": 2}', "\N{REPLACEMENT CHARACTER}", "duplicate_key"),
    (rb'{"a": "x\u0000y"}', "a", "invalid_characters"),
    (rb'{"a\u0000": 1}', "a\N{REPLACEMENT CHARACTER}", "invalid_characters"),
    (rb'{"a": "\ud800"}', "a", "invalid_characters"),
    (rb'{"answers": {"notes": ["a", {"b": "\ud800"}]}}', "answers.notes.1.b", "invalid_characters"),
    (rb'{"pages": [{"\ud800": 1}]}', "pages.0.\N{REPLACEMENT CHARACTER}", "invalid_characters"),
]
MEDIA_TYPES = [
    None,
    "",
    "text/plain",
    "application/json5",
    "application/problem+json",
    "multipart/form-data; boundary=x",
    ";",
    "application/json; charset=utf-16",
    "application/json; charset=nonsense",
    "application/json; charset=",
]


@pytest.mark.parametrize("endpoint", ENDPOINTS)
def test_a_body_that_is_not_json_is_malformed_with_the_reason(endpoint, target):
    before = target.stored()
    for body, cause in UNREADABLE:
        response = target.send(endpoint, body)
        assert_problem(response, 400, "malformed_json")
        assert cause in response.json["detail"], body[:40]
    assert target.stored() == before


@pytest.mark.parametrize("endpoint", ENDPOINTS)
def test_json_of_the_wrong_form_is_refused_by_name(endpoint, target):
    before = target.stored()
    for body, name, code in REFUSED:
        response = target.send(endpoint, body)
        assert_problem(response, 422, "validation_failed")
        assert (name, code) in codes(response)
    assert target.stored() == before


@pytest.mark.parametrize("endpoint", ENDPOINTS)
def test_a_body_of_another_media_type_or_charset_is_refused(endpoint, target):
    before = target.stored()
    body = json.dumps(target.endpoints[endpoint].body).encode()
    for content_type in MEDIA_TYPES:
        assert_problem(target.send(endpoint, body, content_type=content_type), 415, "unsupported_media_type")
    assert target.stored() == before


@pytest.mark.parametrize(
    "content_type", ["Application/JSON", 'application/json;charset="UTF-8"', "application/json ; Charset=us-ascii"]
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


@pytest.mark.parametrize("raw", [b"", b" { } "])
def test_where_no_body_is_taken_an_empty_one_does_no_harm(raw, bodiless):
    for client, method, path in bodiless:
        assert client.request(method, path, raw=raw).status_int in (200, 204)


@pytest.mark.parametrize("content_type", [None, "application/json"])
def test_an_empty_body_is_an_empty_object_where_nothing_is_needed(content_type, target):
    assert target.send("save answers", b"", content_type=content_type).status_int == 200
    assert_problem(target.send("create invite", b"", content_type="application/json"), 400, "malformed_json")


@pytest.mark.parametrize("endpoint", ENDPOINTS)
def test_a_body_of_exactly_one_mebibyte_is_read_and_a_larger_one_is_refused(endpoint, target):
    body = b'{"nonsense": ""}'.ljust(1024 * 1024)
    assert_problem(target.send(endpoint, body), 422, "validation_failed")
    assert_problem(target.send(endpoint, body + b" "), 413, "body_too_large")


@pytest.mark.parametrize(
    ("accept", "status"),
    [
        ("text/html", 406),
        ("image/png, text/*;q=0.5", 406),
        ("application/json;q=0", 406),
        ("application/problem+json", 422),
        ("text/html, */*;q=0.1", 422),
        ("application/*", 422),
        ("", 422),
        (";;,,", 422),
    ],
)
def test_an_accept_header_is_refused_only_when_it_admits_no_json(accept, status, target):
    for endpoint in ENDPOINTS:
        assert_problem(target.send(endpoint, b'{"nonsense": 1}', Accept=accept), status)


@pytest.mark.parametrize(
    ("number", "more", "detail"),
    [
        (200, None, "200 fields are invalid."),
        (50_000, True, "More than 200 fields are invalid; the first 200 are listed."),
    ],
)
def test_the_first_two_hundred_mistakes_are_listed(number, more, detail, target):
    many = {**target.endpoints["replace template"].body, **{f"field{number}": 1 for number in range(number)}}
    response = target.send("replace template", json.dumps(many).encode())
    assert_problem(response, 422)
    assert (len(response.json["errors"]), response.json["detail"]) == (200, detail)
    assert response.json.get("more_errors") is more


def test_many_unstorable_strings_under_a_long_name_are_answered_shortly(target):
    body = json.dumps({"x" * 400_000: ["\0"] * 50_000}).encode()
    response = target.send("login", body)
    assert_problem(response, 422)
    assert len(response.body) < 100_000


def test_a_repeated_name_is_found_among_many_without_comparing_all_with_all(target):
    members = ",".join(f'"{number}":0' for number in range(90_000))
    response = target.send("login", f'{{{members},"89999":0}}'.encode())
    assert codes(response)[0] == ("89999", "duplicate_key")


def test_bodies_are_refused_before_they_are_read_from_strangers(target):
    stranger = Api(target.app)
    assert_problem(stranger.post("/api/interview-templates", raw=b"{"), 401, "unauthenticated")


NUMBERS = ["10" * 20, "-9223372036854775809", "1e400", "1e-400", "123456789.123456789123456789", "9" * 4000]
SEATS = {"key": "seats", "type": "number", "label": "Seats"}
PLACES = [
    *(
        {"questions": [*TEMPLATE["questions"][::2], {**SEATS, field: "NUMBER"}]}
        for field in ("min", "options", "unknown")
    ),
    {"hints": {"lead_fields": {"email": "NUMBER"}}},
    {"hints": {"rep_flags": [{"flag": "big", "label": "Big", "when": "NUMBER"}]}},
    {"pages": [{**TEMPLATE["pages"][0], "visible_if": {"question": "seats", "op": "gt", "value": "NUMBER"}}]},
    {"field_map": [{"target": "quantity", "question": "seats", "map": {"1": "NUMBER"}}]},
    {"branding": {"logo_url": "NUMBER"}},
    {"pages": ["NUMBER"]},
]


@pytest.mark.parametrize("number", NUMBERS, ids=lambda number: number[:30])
def test_numbers_that_do_not_fit_are_refused_anywhere_in_a_template(number, target):
    before = target.stored()
    for part in PLACES:
        body = json.dumps({**TEMPLATE, "slug": "new", **part}).replace('"NUMBER"', number)
        assert_problem(target.send("create template", body.encode()), 422, "validation_failed")
    assert target.stored() == before
