"""Whose turn a request takes: an organization's once it is proven whose it is, else a stranger's."""

import pytest

from pipeline.http.sources import KnownForms, source
from tests.support import interview

STRANGER = (None, None, "10.1.2.3")


@pytest.fixture
def turn(wsgi):
    """turn(path): the turn of a prospect's request."""
    return lambda path: source(wsgi.registry, {"PATH_INFO": path, "REMOTE_ADDR": "10.1.2.3"})


def test_prospects_take_their_organizations_turns_once_the_form_was_opened(turn, organization, anonymous):
    invite = organization.invite()
    path = interview(invite)
    assert turn(path) == STRANGER
    anonymous.get(path, status=200)
    theirs = (organization.id, "prospects", "10.1.2.3")
    page = f"/forms/interview/{invite['token']}"
    assert {turn(place) for place in (path, f"{path}/submit", page, f"{page}/answers")} == {theirs}


@pytest.mark.parametrize("first", ["/forms/capture/{}", "/api/public/interview/capture/{}"])
def test_the_page_and_the_api_of_a_capture_form_are_one(turn, organization, anonymous, first):
    slug = organization.name
    organization.template(public_slug=slug, lead_capture_enabled=True)
    anonymous.get(first.format(slug), status=200)
    for place in (f"/forms/capture/{slug}", f"/api/public/interview/capture/{slug}/submit"):
        assert turn(place) == (organization.id, "prospects", "10.1.2.3")


def test_a_submit_that_is_refused_tells_whose_the_form_is_all_the_same(turn, organization, anonymous):
    path = interview(organization.invite())
    anonymous.post(f"{path}/submit", {"answers": {}}, status=422)
    assert turn(path) == (organization.id, "prospects", "10.1.2.3")


def test_who_makes_up_forms_gets_no_turns_for_them(turn, anonymous):
    for path in ("/api/public/interview/" + "0" * 64, "/forms/capture/nobodys", "/healthz"):
        anonymous.get(path)
        assert turn(path) == STRANGER


def test_a_process_remembers_forms_up_to_a_bound(monkeypatch):
    monkeypatch.setattr("pipeline.http.sources.MOST_FORMS", 2)
    known = KnownForms()
    paths = [f"/forms/capture/{number}" for number in range(3)]
    for path in paths:
        known.remember(path, 7)
    assert [known.owner(path) for path in paths] == [None, None, 7]
