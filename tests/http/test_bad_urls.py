"""Bad paths, queries, methods and headers."""

import base64

import pytest
from webtest import TestApp

from tests.http.target import assert_problem
from tests.support import Api, codes

LIST = "/api/interview-invites"
BAD_IDS = "0 -1 +1 00 abc 1.0 1e3 0x1 1,2 null %20 1%20 1%0A %D9%A1 %F0%9F%90%98 1;2 %2E%2E 1'-- %25ff * {id}"
UNREADABLE = ["%ff", "%00", "1%00", "%c0%af", "%ed%a0%80", "%e2%82", "a%ffb"]
UNKNOWN = [
    "/api",
    "/api/",
    "/API/interview-templates",
    "/api/interview-templates/",
    "//api/interview-templates",
    "/api//interview-templates",
    "/api/interview-templates/..%2f",
    "/api/interview-templates/1%2F2",
    "/api/../healthz",
    "/api/./auth/me",
    "/%2fapi",
    "/api/public/interview/",
    "/.env",
    "/" + "a" * 5000,
]
BAD_QUERIES = [
    ("lead_id=0", "lead_id", "out_of_range"),
    (f"lead_id={2**63}", "lead_id", "out_of_range"),
    ("template_id=1,2", "template_id", "wrong_type"),
    ("status=pending,open", "status", "invalid_choice"),
    ("status=pending&status=pending", "status", "repeated"),
    ("Status=pending", "Status", "unknown_parameter"),
    ("a[b][c]=1", "a[b][c]", "unknown_parameter"),
    ("_method=DELETE", "_method", "unknown_parameter"),
    ("%F0%9F%90%98", "\N{ELEPHANT}", "unknown_parameter"),
    ("=", "", "unknown_parameter"),
    ("updated_since=2026-01-01T00:00:00 02:00", "updated_since", "offset_missing"),
]


@pytest.mark.parametrize("path", ["/api/interview-templates/{}", "/api/interview-invites/{}"])
def test_a_malformed_id_names_no_record(path, target):
    unknown = target.organization.admin.get(path.format(2**63 - 1)).json
    for bad in [*BAD_IDS.split(), str(2**63), "9" * 5000]:
        response = target.organization.admin.get(path.format(bad))
        assert_problem(response, 404, "not_found")
        assert {**response.json, "request_id": ""} == {**unknown, "request_id": ""}, bad[:30]


@pytest.mark.parametrize(
    "path", ["/api/interview-templates/{}", "/api/public/interview/{}", "/{}", LIST + "?status={}", LIST + "?{}=1"]
)
def test_a_url_that_is_no_text_cannot_be_read(path, target):
    for bad in UNREADABLE:
        assert_problem(target.organization.admin.get(path.format(bad)), 400, "malformed_request")


@pytest.mark.parametrize("path", UNKNOWN, ids=lambda path: path[:40])
def test_an_unknown_path_is_not_found(path, target):
    for method in ("GET", "POST", "DELETE"):
        assert_problem(target.organization.admin.request(method, path), 404, "unknown_path")


@pytest.mark.parametrize(("query", "name", "code"), BAD_QUERIES, ids=[query[:40] for query, *_ in BAD_QUERIES])
def test_a_bad_query_is_refused_by_its_parameter(query, name, code, target):
    response = target.organization.member.get(f"{LIST}?{query}")
    assert_problem(response, 422, "validation_failed")
    assert response.json["detail"] == "1 parameter is invalid."
    assert codes(response) == [(name, code)]
    assert response.json["errors"][0]["location"] == "query"


@pytest.mark.parametrize("query", ["?x=1", "?x"])
def test_a_query_where_none_is_taken_is_refused(query, target):
    response = target.send("create invite", b'{"template_id": 1, "recipient_email": "a@b.example"}', query=query)
    assert ("x", "unknown_parameter") in codes(response)


def test_thousands_of_query_parameters_are_answered_shortly(target):
    query = "&".join(str(number) for number in range(50_000))
    response = target.organization.member.get(f"{LIST}?{query}")
    assert_problem(response, 422)
    assert len(response.json["errors"]) == 200


@pytest.mark.parametrize("query", ["", "?", "?&&", "?status=", "?lead_id=", "?status=pending", "?status=%20pending"])
def test_an_empty_filter_is_no_filter(query, target):
    response = target.organization.member.get(LIST + query, status=200)
    assert [invite["id"] for invite in response.json["data"]] == [target.invite["id"]]


@pytest.mark.parametrize(
    ("path", "allowed"),
    [
        ("/api/auth/login", "OPTIONS, POST"),
        ("/api/interview-templates/1", "DELETE, GET, HEAD, OPTIONS, PATCH, PUT"),
        ("/api/interview-invites/1/expire", "OPTIONS, PUT"),
        ("/api/public/interview/" + "0" * 64, "GET, HEAD, OPTIONS, PATCH"),
        ("/api/leads/export", "GET, HEAD, OPTIONS"),
        ("/api/leads/import", "OPTIONS, POST"),
        ("/healthz", "GET, HEAD, OPTIONS"),
    ],
)
def test_a_wrong_method_is_told_the_right_ones(path, allowed, target):
    unchecked = Api(TestApp(target.app.app, lint=False), **target.organization.admin.headers)
    methods = {"GET", "POST", "PUT", "PATCH", "DELETE", "TRACE", "PROPFIND", "get", "X"}
    for method in methods - set(allowed.split(", ")):
        response = unchecked.request(method, path)
        assert_problem(response, 405, "method_not_allowed")
        assert response.headers["Allow"] == allowed


def test_a_method_in_a_header_counts_for_nothing(target):
    before = target.stored()
    path = f"/api/interview-templates/{target.template['id']}"
    response = target.organization.admin.post(path, {}, headers={"X-HTTP-Method-Override": "DELETE"})
    assert_problem(response, 405, "method_not_allowed")
    assert target.stored() == before


def token_of(header, payload=b"{}"):
    """An unsigned token with these bytes as its parts."""
    parts = (base64.urlsafe_b64encode(part).rstrip(b"=").decode() for part in (header, payload, b"signature"))
    return "Bearer " + ".".join(parts)


@pytest.mark.parametrize(
    "authorization",
    [
        "",
        "Bearer",
        "Bearer  ",
        "Bearer ..",
        "Bearer a.b.c",
        "Basic YTpi",
        "Bearer \xff\xfe",
        "Bearer " + "x" * 8000,
        "Bearer x y",
        "Bearer\tx",
        token_of(b"{}"),
        token_of(b"null"),
        token_of(b"\xff"),
        token_of(b'{"alg": "none"}'),
        token_of(b'{"alg": ["HS256"]}'),
        token_of(b'{"alg": "RS256"}'),
        token_of(b'{"alg": "HS256", "kid": ["1"]}'),
        token_of(b'{"alg": "HS256", "kid": "2"}'),
        token_of(b'{"alg": "HS256", "crit": ["x"]}'),
        token_of(b'{"alg": "HS256"}', b"[" * 20_000),
        token_of(b"[" * 20_000),
    ],
    ids=lambda value: value[:24],
)
def test_an_odd_authorization_header_is_nobody(authorization, target):
    response = Api(target.app, Authorization=authorization).get("/api/auth/me")
    assert_problem(response, 401, "unauthenticated")
    assert response.headers["WWW-Authenticate"] == "Bearer"


HEADERS = (
    "Host X-Forwarded-For X-Forwarded-Host X-Vhm-Root X-Forwarded-Proto Cookie Range Referer Accept-Charset"
    " Accept-Language Accept-Encoding Origin User-Agent Date Expect Upgrade Content-Encoding Idempotency-Key"
)


@pytest.mark.parametrize("header", HEADERS.split())
def test_odd_headers_never_break_an_answer(header, target):
    for value in ("\xff\xfe", "", "'\";--", "a" * 5000, "/../..", "bytes=9-1", "*"):
        assert target.organization.member.get(LIST, headers={header: value}).status_int == 200, value


def test_a_semicolon_is_a_character_of_its_value(member):
    member.post("/api/leads", {"first_name": "Pat;status=contacted"}, status=201)
    assert member.get("/api/leads?search=Pat;status=contacted", status=200).json["total"] == 1
    member.get("/api/leads?status=new;page=1", status=422)
