"""The guides that stand beside the reference: pages of docs/, and all errors with cause and cure."""

import pytest

from pipeline.documentation import guides
from pipeline.errors.codes import CODES
from pipeline.validation.codes import CODES as violation_codes
from tests.forms.accessible import PHONE, STILL, faults

PATHS = [f"/docs/{name}" for name in guides.GUIDES]


@pytest.fixture
def pages(anonymous):
    """{path: the parsed page} of all guides."""
    return {path: anonymous.get(path, status=200).html for path in PATHS}


def test_every_guide_leads_to_all_others_and_to_its_own_sections(pages):
    for path, page in pages.items():
        links = [link["href"] for link in page.select("nav.guides a")]
        assert [link for link in links if not link.startswith("#")] == PATHS
        assert page.select_one("nav.guides [aria-current]")["href"] == path
        assert [link for link in links if link.startswith("#")] == [f"#{head['id']}" for head in page.select("main h2")]


def test_every_link_between_the_guides_leads_to_what_is_there(pages):
    for path, page in pages.items():
        for link in page.select("main a[href]"):
            there, _, anchor = link["href"].partition("#")
            if not there.startswith("https:"):
                assert pages[there or path].find(id=anchor) if anchor else pages[there], (path, link["href"])


def test_a_link_to_what_is_not_served_is_plain_text(pages):
    assert guides.address("limits.md#fairness") == "/docs/limits#fairness"
    assert guides.address("#scopes") == "#scopes"
    assert [guides.address(target) for target in ("server.md", "../CHANGELOG.md", "limits", "javascript:x")] == [
        None
    ] * 4
    text = pages["/docs/limits"].main
    assert "hosted pages" in text.text
    assert not any("hosted pages" in link.text for link in text.select("a"))


def test_every_code_has_an_anchor_a_cause_and_a_cure(pages):
    page = pages["/docs/errors"]
    for anchor, rule in {**CODES, **{f"place-{code}": rule for code, rule in violation_codes.items()}}.items():
        cause, cure = page.find(id=anchor).find_next_sibling("dd").select("p")
        assert cause.text.endswith("."), anchor
        assert cure.text.endswith("."), anchor
        assert rule.cure


def test_every_problem_type_leads_to_its_explanation(anonymous, pages):
    page, _, anchor = anonymous.get("/api/nothing", status=404).json["type"].partition("#")
    assert pages[page].find(id=anchor).text.startswith("not_found")


@pytest.mark.parametrize(("name", "options"), [("limits", PHONE), ("errors", {"color_scheme": "dark", **STILL})])
def test_a_guide_can_be_read_by_everyone(name, options, reader):
    """axe-core, and sideways scrolling; a link in running text may be as high as its line."""
    visit = reader(**options)
    found = faults(visit.open(f"/docs/{name}"))
    assert {kind: value for kind, value in found.items() if kind != "small targets"} == {}
    assert visit.complaints == []
