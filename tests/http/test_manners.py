"""Common to every response: ids, headers, methods, problems, and the transaction."""

import re

import pytest

from pipeline.http.front import health
from tests.conftest import PASSWORD
from tests.http.target import assert_problem
from tests.support import TEMPLATE

PATHS = [
    "/healthz",
    "/readyz",
    "/openapi.json",
    "/docs",
    "/nothing",
    "/%ff",
    "/api/auth/me",
    "/api/auth/login",
    "/api/interview-templates",
    "/api/interview-templates/0",
    "/api/interview-invites?x=1",
    "/api/public/interview/" + "0" * 64,
]


@pytest.mark.parametrize("path", PATHS)
def test_every_answer_has_a_request_id_and_is_never_sniffed(path, member, anonymous):
    for client in (member, anonymous):
        response = client.get(path)
        assert re.fullmatch("[0-9a-f]{32}", response.headers["X-Request-Id"])
        assert response.headers["X-Content-Type-Options"] == "nosniff"


@pytest.mark.parametrize("given", ["a", "A-Z.09:_x", "x" * 128])
def test_a_safe_request_id_is_kept(given, anonymous):
    assert anonymous.get("/healthz", headers={"X-Request-Id": given}).headers["X-Request-Id"] == given
    assert anonymous.get("/nothing", headers={"X-Request-Id": given}).json["request_id"] == given


@pytest.mark.parametrize(
    "given", ["", " ", "x" * 129, "a b", "a\tb", "a,b", "a/b", "\xe9", "\xff", "<script>", "{}", '"', "%0a"]
)
def test_an_unsafe_request_id_is_replaced(given, anonymous):
    response = anonymous.get("/nothing", headers={"X-Request-Id": given})
    assert re.fullmatch("[0-9a-f]{32}", response.headers["X-Request-Id"])
    assert_problem(response, 404)


@pytest.mark.parametrize("path", [path for path in PATHS if path.startswith("/api")])
def test_nothing_below_api_is_kept_by_caches(path, member, anonymous):
    assert member.get(path).headers["Cache-Control"] == "no-store"
    assert anonymous.get(path).headers["Cache-Control"] == "no-store"


@pytest.mark.parametrize("path", [*PATHS, "/api/interview-templates/{template}", "/api/public/interview/{token}"])
def test_head_is_get_without_its_body(path, organization):
    invite = organization.invite()
    path = path.replace("{template}", str(invite["template_id"])).replace("{token}", invite["token"])
    got = organization.member.get(path, headers={"X-Request-Id": "same"})
    head = organization.member.request("HEAD", path, headers={"X-Request-Id": "same"})
    assert head.status == got.status
    counting = ("RateLimit",)
    assert {**head.headers, **dict.fromkeys(counting)} == {**got.headers, **dict.fromkeys(counting)}
    assert head.body == b""


@pytest.mark.parametrize(
    ("path", "body"),
    [
        ("/api/interview-templates", {**TEMPLATE, "slug": "another"}),
        ("/api/interview-invites", {"template_id": 0, "recipient_email": "pat@prospect.example"}),
    ],
)
def test_what_is_created_has_a_location_under_the_public_url(path, body, organization):
    if "template_id" in body:
        body = {**body, "template_id": organization.template()["id"]}
    created = organization.admin.post(path, body, headers={"Host": "evil.example"}, status=201)
    assert created.headers["Location"] == f"https://pipeline.example{path}/{created.json['id']}"
    assert organization.admin.get(f"{path}/{created.json['id']}", status=200).json == created.json


@pytest.mark.parametrize("path", ["/api/leads", "/api/%6Ceads"])
def test_pages_are_linked_under_the_public_url_however_their_path_was_written(path, organization):
    link = organization.member.get(path).headers["Link"]
    assert link.startswith('<https://pipeline.example/api/leads?page=1>; rel="first"')


@pytest.mark.parametrize(
    ("status", "code"),
    [(403, "forbidden"), (404, "not_found"), (413, "body_too_large"), (415, "unsupported_media_type")],
)
def test_what_the_framework_refuses_is_a_problem_too(status, code, failing_app):
    response = failing_app.get(f"/failing/framework?status={status}")
    assert_problem(response, status, code)
    assert "secret" not in response.text


@pytest.mark.parametrize("view", ["crash", "broken_query"])
def test_a_crash_tells_the_client_nothing_but_its_request_id(view, failing_app):
    response = failing_app.get(f"/failing/{view}")
    assert_problem(response, 500, "internal_error")
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
    refreshed = failing_app.post("/api/auth/refresh", {"refresh_token": token})
    assert refreshed.status_int == (401 if kept else 200)


def test_health_is_told_as_json(anonymous):
    assert anonymous.get("/healthz", status=200).json == {"status": "ok"}
    assert anonymous.get("/readyz", status=200).json["status"] == "ready"


def test_no_instance_is_ready_on_a_schema_of_another_release(wsgi, anonymous, monkeypatch):
    monkeypatch.setattr(wsgi.registry, "schema_head", "a later one")
    monkeypatch.setattr(health, "FRESH_SECONDS", 0.0)
    response = anonymous.get("/readyz")
    assert_problem(response, 503, "unavailable")
    assert "Retry-After" in response.headers
    anonymous.get("/healthz", status=200)
