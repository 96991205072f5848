"""Common to every response: ids, headers, methods, problems, and the transaction."""

import re

import pytest

from tests.conftest import PASSWORD
from tests.http.target import assert_problem

PATHS = [
    "/healthz",
    "/openapi.json",
    "/docs",
    "/nothing",
    "/%ff",
    "/api/auth/me",
    "/api/auth/login",
    "/api/leads",
    "/api/leads/0",
    "/api/leads?x=1",
    "/api/public/interview/" + "0" * 64,
]


@pytest.mark.parametrize("path", PATHS)
def test_every_answer_has_a_request_id_is_never_sniffed_and_below_api_not_kept(path, member, anonymous):
    for client in (member, anonymous):
        headers = client.get(path).headers
        assert re.fullmatch("[0-9a-f]{32}", headers["X-Request-Id"])
        assert headers["X-Content-Type-Options"] == "nosniff"
        if path.startswith("/api"):
            assert headers["Cache-Control"] == "no-store"


@pytest.mark.parametrize("given", ["a", "A-Z.09:_x", "x" * 128])
def test_a_safe_request_id_is_kept(given, anonymous):
    answer = anonymous.get("/nothing", headers={"X-Request-Id": given})
    assert answer.headers["X-Request-Id"] == answer.json["request_id"] == given


@pytest.mark.parametrize("given", ["", " ", "x" * 129, "a b", "a\tb", "a,b", "a/b", "\xe9", "<script>", '"'])
def test_an_unsafe_request_id_is_replaced(given, anonymous):
    response = anonymous.get("/nothing", headers={"X-Request-Id": given})
    assert re.fullmatch("[0-9a-f]{32}", response.headers["X-Request-Id"])
    assert_problem(response, 404)


@pytest.mark.parametrize("path", [*PATHS, "/api/interview-templates/{template_id}", "/api/public/interview/{token}"])
def test_head_is_get_without_its_body(path, organization):
    path = path.format(**organization.invite())
    got, head = (
        organization.member.request(method, path, headers={"X-Request-Id": "same"}) for method in ("GET", "HEAD")
    )
    assert (head.status, head.body) == (got.status, b"")
    assert {**head.headers, "RateLimit": ""} == {**got.headers, "RateLimit": ""}


@pytest.mark.parametrize("path", ["/api/leads", "/api/%6Ceads"])
def test_addresses_stand_under_the_public_url_whatever_a_request_says(path, member):
    evil = {"Host": "evil.example"}
    created = member.post(path, {"first_name": "Pat"}, headers=evil, status=201)
    assert created.headers["Location"] == f"https://pipeline.example/api/leads/{created.json['id']}"
    link = member.get(path, headers=evil).headers["Link"]
    assert link.startswith('<https://pipeline.example/api/leads?page=1>; rel="first"')


@pytest.mark.parametrize(
    ("view", "status", "code"),
    [
        ("framework?status=403", 403, "forbidden"),
        ("framework?status=404", 404, "not_found"),
        ("framework?status=413", 413, "body_too_large"),
        ("framework?status=415", 415, "unsupported_media_type"),
        ("crash", 500, "internal_error"),
        ("broken_query", 500, "internal_error"),
    ],
)
def test_an_internal_error_is_a_problem_without_details(view, status, code, failing_app):
    response = failing_app.get(f"/failing/{view}")
    assert_problem(response, status, code)
    assert "secret" not in response.text
    assert "nowhere" not in response.text


@pytest.mark.parametrize(
    ("then", "status", "kept"),
    [
        ("200", 200, True),
        ("302", 302, True),
        ("404", 404, False),
        ("409", 409, False),
        ("500", 500, False),
        ("conflict", 409, False),
        ("crash", 500, False),
        ("framework", 403, False),
        ("kept", 409, True),
    ],
)
def test_success_commits_and_failure_rolls_back_unless_it_says_otherwise(then, status, kept, organization, failing_app):
    credentials = {"email": f"member@{organization.name}.example", "password": PASSWORD}
    token = failing_app.post("/api/auth/login", credentials, status=200).json["refresh_token"]
    failing_app.get(f"/failing/write?token={token}&then={then}", status=status)
    failing_app.post("/api/auth/refresh", {"refresh_token": token}, status=401 if kept else 200)
