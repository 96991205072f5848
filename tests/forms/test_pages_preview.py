import time

import jwt
import psycopg
import pytest
from psycopg.errors import ReadOnlySqlTransaction
from psycopg.rows import dict_row
from webtest import TestApp

from pipeline.database import queries
from pipeline.http import signed_links
from tests.forms.paper import Paper
from tests.interviews.language import question
from tests.support import TEMPLATE, Api

FORM = {
    "questions": [*TEMPLATE["questions"], question("papers", "file", max_files=2)],
    "pages": [*TEMPLATE["pages"], {"key": "more", "title": "More", "questions": ["papers"]}],
}
NOTICE = "This is a preview: what you enter is neither kept nor sent."


@pytest.fixture
def anonymous(with_redis):
    """A stranger to an application with Redis, which keeps the answers."""
    return Api(with_redis)


@pytest.fixture
def template(organization):
    """A template that is no public form, and may be framed."""
    return organization.template(**FORM, thank_you={"show_answers": True}, embed_origins=["https://www.acme.example"])


@pytest.fixture
def link(organization, template):
    """link(template): the path of a preview that the member has asked for."""

    def make(template=template):
        made = organization.member.post(f"/api/interview-templates/{template['id']}/preview", status=200).json
        assert made["expires_at"] > "2026"
        return made["url"][made["url"].index("/forms/") :]

    return make


@pytest.fixture
def paper(anonymous, link):
    return Paper(anonymous.app, link())


def written(owner):
    tables = ("leads", "interview_invites", "files", "changes", "outbox")
    return [owner.execute(f"select count(*) from app.{table}").fetchone()[0] for table in tables]


def test_the_whole_form_is_run_and_nothing_is_written(paper, owner):
    before = written(owner)
    assert (paper.state, paper.text("h1"), paper.text(".notice")) == ("step", ["What you need"], [NOTICE])
    assert (paper.text("#save-state"), paper.text("footer p")) == ([], [NOTICE])
    assert paper.press(status=422).errors() == {"product_line": "Choose an option for “Which product?”."}
    paper.fill(product_line="server", seats="7").press()
    assert (paper.text("h1"), paper.text("#save-state"), paper.text("footer p")) == (["More"], [], [NOTICE])
    paper.attach("papers", "b.csv", b"1,2").press("upload:papers")
    assert paper.press("remove:papers:1").text(".files li") == []
    paper.attach("papers", "a.csv", b"1,2").press("upload:papers").press()
    assert (paper.state, paper.text("dd p")) == ("review", ["Server", "7", "Not answered", "a.csv (1 kB)"])
    paper.press("submit")
    assert (paper.state, paper.text("dd p")) == ("done", ["Server", "7", "a.csv (1 kB)"])
    assert (paper.text(".notice"), paper.text("footer p")) == ([NOTICE], [NOTICE])
    assert written(owner) == before


def test_it_offers_no_link_for_later_and_is_framed_by_nobody(paper, owner):
    assert paper.text("details") == []
    assert "frame-ancestors 'none'" in paper.response.headers["Content-Security-Policy"]
    before = written(owner)
    paper.html.select_one("button.primary")["value"] = "later"
    assert paper.press("later", status=422).state == "step"
    assert written(owner) == before


def test_the_database_itself_refuses_to_write_in_a_preview(organization, template, login_url):
    url = login_url("pipeline_forms")
    with psycopg.connect(url, row_factory=dict_row) as connection, queries.on(connection):
        connection.execute("set local search_path = app, extensions, pg_catalog, pg_temp")
        queries.public_preview_open(organization_id=organization.id, template_id=template["id"])
        with pytest.raises(ReadOnlySqlTransaction):
            connection.execute("insert into leads (first_name, source) values ('Kim', 'interview')")


def test_a_link_ends_after_a_day_or_with_its_template_and_is_for_one_template_of_its_organization(
    organization, new_organization, template, settings, anonymous
):
    def state(seconds=60, **changes):
        ids = {"org": organization.id, "template": template["id"], **changes}
        signed, _ = signed_links.sign(settings, signed_links.PREVIEWS, seconds, **ids)
        return Paper(anonymous.app, f"/forms/preview/{signed}").state

    other = new_organization()
    assert state() == "step"
    assert state(seconds=-1) == "preview_expired"
    assert {state(template=other.template()["id"]), state(org=other.id)} == {"unknown"}
    organization.admin.delete(f"/api/interview-templates/{template['id']}", status=204)
    assert state() == "unknown"


def test_a_link_of_another_purpose_or_key_opens_nothing(organization, template, settings, anonymous):
    ids = {"org": organization.id, "template": template["id"]}
    signed, _ = signed_links.sign(settings, b"links to answers", 60, **ids)
    forged = jwt.encode({**ids, "exp": int(time.time()) + 60}, "x" * 32, headers={"kid": settings.jwt_key_id})
    for text in (signed, forged, "nonsense"):
        assert Paper(anonymous.app, f"/forms/preview/{text}").state == "unknown"


def test_each_step_has_a_short_address_that_shows_even_long_answers(paper):
    paper.fill(product_line="server", seats="7", notes="é" * 5000).press()
    more = paper.path
    assert (paper.response.request.method, paper.text("h1")) == ("GET", ["More"])
    assert len(more) < 1000
    paper.open(more, status=200).press("back")
    assert (paper.value("seats"), paper.value("notes")) == ("7", "é" * 5000)
    done = paper.press().press().press("submit").path
    assert (paper.open(done, status=200).state, paper.text("dd p")) == ("done", ["Server", "7", "é" * 5000])


def test_without_redis_a_preview_keeps_nothing_and_says_so(link, wsgi):
    paper = Paper(TestApp(wsgi), link()).fill(product_line="server").press()
    assert (paper.response.status_int, paper.state) == (503, "unavailable")


def test_the_answers_of_a_preview_are_shown_by_no_other_link(paper, anonymous, organization, link):
    answered = paper.fill(product_line="server", seats="7").press()
    other = link(organization.template(**FORM, name="Other", slug="other")) + "?" + answered.path.partition("?")[2]
    assert Paper(anonymous.app, other).html.select("[checked]") == []
    elsewhere = Paper(anonymous.app, answered.path, **{"Sec-Fetch-Site": "cross-site"})
    assert elsewhere.html.select("[checked]") == []
