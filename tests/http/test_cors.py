"""Pages of listed origins may call the API from a browser, others may not; OPTIONS lists a path's methods."""

import pytest
from webtest import TestApp

from tests.http.applications import application
from tests.http.target import assert_problem
from tests.support import Api

OURS, THEIRS = "https://app.acme.example", "https://evil.example"
PREFLIGHT = {"Access-Control-Request-Method": "PUT", "Access-Control-Request-Headers": "authorization, if-match"}


@pytest.fixture(scope="module")
def admitting(settings):
    with application(settings, cors_origins=f"https://other.example {OURS}", database_pool=2) as app:
        yield Api(TestApp(app))


def test_a_browser_learns_that_a_page_of_a_listed_origin_may_call(admitting):
    answer = admitting.request("OPTIONS", "/api/leads/1", headers={"Origin": OURS, **PREFLIGHT}, status=204)
    assert answer.headers["Access-Control-Allow-Origin"] == OURS
    assert "PUT" in answer.headers["Access-Control-Allow-Methods"].split(", ")
    assert {"Authorization", "If-Match"} <= set(answer.headers["Access-Control-Allow-Headers"].split(", "))
    assert "Access-Control-Allow-Credentials" not in answer.headers


def test_a_page_of_a_listed_origin_reads_answers_and_failures_with_their_headers(admitting):
    for method, path, status in (("GET", "/api/leads", 401), ("GET", "/api/nothing", 404)):
        failure = admitting.request(method, path, headers={"Origin": OURS})
        assert_problem(failure, status)
        assert failure.headers["Access-Control-Allow-Origin"] == OURS
        assert {"ETag", "Link", "Retry-After"} <= set(failure.headers["Access-Control-Expose-Headers"].split(", "))
        assert "Origin" in failure.headers["Vary"]


def test_caches_are_told_of_both_that_an_answer_depends_on(admitting, member):
    lead = member.post("/api/leads", {"first_name": "Ada", "notes": "x" * 2000}, status=201).json
    answer = admitting.get(f"/api/leads/{lead['id']}", headers={**member.headers, "Origin": OURS})
    assert answer.headers.getall("Vary") == ["Accept-Encoding, Origin"]


@pytest.mark.parametrize("origin", [THEIRS, f"{OURS}.evil.example", f"{OURS}:8443", "null", "*", OURS.upper(), ""])
def test_a_page_of_another_origin_is_not_let_in(origin, admitting):
    for method in ("OPTIONS", "GET"):
        answer = admitting.request(method, "/api/leads", headers={"Origin": origin, **PREFLIGHT})
        assert not [name for name in answer.headers if name.startswith("Access-Control")]


def test_without_the_setting_no_page_is_let_in(anonymous):
    answer = anonymous.request("OPTIONS", "/api/leads", headers={"Origin": OURS, **PREFLIGHT}, status=204)
    assert not [name for name in answer.headers if name.startswith("Access-Control")]


def test_a_browser_may_ask_for_an_unknown_path_so_that_its_page_reads_the_404(admitting):
    answer = admitting.request("OPTIONS", "/api/nothing", headers={"Origin": OURS, **PREFLIGHT}, status=204)
    assert (answer.headers["Allow"], answer.headers["Access-Control-Allow-Origin"]) == ("OPTIONS", OURS)


@pytest.mark.parametrize(
    ("path", "types"),
    [
        ("/api/leads/1", "application/merge-patch+json, application/json"),
        ("/api/public/interview/" + "0" * 64, "application/json"),
    ],
)
def test_a_path_with_patch_names_the_types_of_a_patch(path, types, member):
    headers = {**member.headers, "Content-Type": "text/plain"}
    for method, status in (("OPTIONS", 204), ("PATCH", 415)):
        answer = member.app.request(path, method=method, headers=headers, body=b"x", status=status)
        assert answer.headers["Accept-Patch"] == types
