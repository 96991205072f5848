"""The guides beside the reference: pages of docs/, and all errors with cause and cure."""

import re
import shlex
import subprocess
from urllib.parse import quote

import pytest

from pipeline.api.documentation import guides
from pipeline.process.settings.shipped import shipped
from pipeline.validation.codes import CODES as violation_codes
from pipeline.validation.errors.codes import CODES
from tests.conftest import PASSWORD
from tests.forms.accessible import PHONE, STILL, faults
from tests.waiting import SECONDS

PATHS = [guides.address_of(name) for name in guides.GUIDES]


@pytest.fixture(scope="module")
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
        for link in page.select("main a[href]:not([download])"):
            there, _, anchor = link["href"].partition("#")
            if not there.startswith("https:"):
                assert pages[there or path].find(id=anchor) if anchor else pages[there], (path, link["href"])


def test_every_test_that_the_guides_name_exists():
    root = shipped("docs").parent
    named = {
        name
        for guide in root.glob("docs/**/*.md")
        for name in re.findall(r"`((?:tests|experiments)/\S+?\.py)", guide.read_text())
    }
    assert len(named) > 20
    assert [name for name in sorted(named) if not list(root.glob(name))] == []


def test_every_code_has_an_anchor_that_a_problem_leads_to_a_cause_and_a_cure(anonymous, pages):
    path, _, anchor = anonymous.get("/api/nothing", status=404).json["type"].partition("#")
    assert pages[path].find(id=anchor).text.startswith("unknown_path")
    page = pages["/docs/errors"]
    for anchor in [*CODES, *(f"place-{code}" for code in violation_codes)]:
        cause, cure = page.find(id=anchor).find_next_sibling("dd").select("p")
        assert cause.text.endswith("."), anchor
        assert cure.text.endswith("."), anchor


@pytest.mark.parametrize(
    ("name", "options"),
    [("limits", PHONE), pytest.param("errors", {"color_scheme": "dark", **STILL}, marks=pytest.mark.long)],
)
def test_a_guide_can_be_read_by_everyone(name, options, reader):
    """axe-core, and sideways scrolling; a link in running text may be as high as its line."""
    visit = reader(**options)
    found = faults(visit.open(f"/docs/{name}"))
    assert {kind: value for kind, value in found.items() if kind != "small targets"} == {}
    assert visit.complaints == []


@pytest.mark.long
def test_axe_finds_nothing_in_any_guide_on_a_phone_and_on_a_desktop(reader):
    visit = reader(**PHONE)
    pages = [*PATHS, "/docs/search?q=webhook", "/docs/search?q=xyzzy"]
    found = {path: [kind for kind in faults(visit.open(path)) if "small targets" not in kind] for path in pages}
    assert [path for path in pages if found[path]] == []


def test_on_a_phone_a_table_shows_each_cell_below_its_heading(reader):
    page = reader(**PHONE).open("/docs/limits")
    cell = page.locator("main td[data-label]").first
    assert cell.evaluate("node => getComputedStyle(node, '::before').content").startswith('"')
    assert all(page.locator("main .wide").evaluate_all("all => all.map(one => one.scrollWidth <= one.clientWidth)"))


def search(anonymous, words):
    """The page with what a search finds."""
    return anonymous.get(f"/docs/search?q={quote(words)}", status=200).html


@pytest.mark.parametrize(
    ("words", "address"),
    [
        ("qualify lead", "/docs/reference#tag/leads/POST/api/leads/{id}/qualify"),
        ("cursor_expired", "/docs/errors#cursor_expired"),
        ("Webhooks signature", "/docs/webhooks"),
    ],
)
def test_a_search_finds_guides_errors_and_operations_alike(anonymous, words, address):
    page = search(anonymous, words)
    assert [link for link in page.select(".found a") if link["href"].startswith(address)]
    assert "`" not in page.get_text(), "excerpts have no backticks"


@pytest.mark.parametrize(
    ("words", "said"), [("", "Type words"), ("xyzzy <b>", "No page contains all words of “xyzzy <b>”")]
)
def test_a_search_says_what_to_do_when_it_finds_nothing(anonymous, words, said):
    page = search(anonymous, words)
    assert said in page.main.text
    assert page.select("b, .found") == []


def test_the_quickstart_runs_as_it_stands(site, tmp_path, organization):
    text = (shipped("docs") / "quickstart.md").read_text()
    script = "\n".join(re.findall("```sh\n(.*?)```", text, re.S))
    # Variables of the reader's shell, which no program inherits.
    mine = f"URL={site.url} EMAIL=admin@{organization.name}.example PASSWORD={shlex.quote(PASSWORD)}"
    options = {"cwd": tmp_path, "capture_output": True, "text": True, "timeout": SECONDS}
    result = subprocess.run(["bash", "-c", f"set -euo pipefail\n{mine}\n{script}"], check=False, **options)
    total, status, *changes = result.stdout.splitlines()
    # Beside open transactions, the feed begins with earlier changes.
    assert (result.stderr, total, status, changes[-1]) == ("", "0", "contacted", "leads updated")
    assert list(tmp_path.iterdir()) == []
