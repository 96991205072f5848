"""The reference at /docs/reference in a browser: its content, its requests, and a call with a token."""

import gzip
import hashlib
import re

import pytest
from playwright.sync_api import expect
from webob import Request

from development import renderer

WIDE = {"viewport": {"width": 1280, "height": 900}}


@pytest.mark.long
def test_a_reader_finds_an_operation_tries_it_with_a_token_and_nobody_else_is_asked(reader, admin):
    slug = admin.get("/api/organization", status=200).json["slug"]
    visit = reader(**WIDE)
    page = visit.open("/docs/reference")
    page.get_by_placeholder("Token").first.fill(admin.headers["Authorization"].removeprefix("Bearer "))
    for language in ("Shell", "Node.js", "Python"):
        expect(page.get_by_role("tab", name=language)).to_be_visible()
    page.keyboard.press("Control+k")
    page.keyboard.type("Get organization")
    page.get_by_role("option", name="/api/organization").first.click()
    page.get_by_role("button", name="(get /api/organization)").click()
    page.get_by_role("button", name="Send get request").click()
    expect(page.get_by_text(slug).first).to_be_visible()
    assert visit.foreign == visit.complaints == []


def test_a_search_result_is_shown_in_the_reference_without_other_hosts(reader):
    visit = reader(**WIDE)
    page = visit.open("/docs/search?q=create+webhook")
    page.get_by_role("link", name="POST /api/webhooks").first.click()
    expect(page.get_by_role("heading", name="Create webhook").first).to_be_in_viewport()
    assert visit.foreign == visit.complaints == []


def test_the_page_admits_no_script_but_its_own_and_no_other_server(anonymous):
    policy = anonymous.get("/docs/reference", status=200).headers["Content-Security-Policy"]
    assert "script-src 'self';" in policy
    assert not re.search(r"https?:|\*|eval", policy)
    assert "unsafe" not in anonymous.get("/docs/concepts", status=200).headers["Content-Security-Policy"]


def test_the_renderer_is_the_pinned_one_and_is_kept_by_browsers_for_good(anonymous, wsgi):
    assert hashlib.sha256(gzip.decompress(renderer.COPY.read_bytes())).hexdigest() == renderer.SCRIPT
    script = anonymous.get("/docs/reference", status=200).html.select_one("script")["src"]
    answer = Request.blank(script).get_response(wsgi)  # as WebTest, which unpacks, does not show it
    assert answer.body == renderer.COPY.read_bytes()
    assert answer.headers["Content-Encoding"] == "gzip"
    assert "immutable" in answer.headers["Cache-Control"]
    anonymous.get(re.sub("static/[0-9a-f]+", "static/000000000000", script), status=404)
    assert "MIT License" in anonymous.get(script.replace("scalar.js", "scalar.LICENSE.txt"), status=200)
