"""Files on public forms: they belong to the draft, and after the submit to the response."""

import itertools

import psycopg
import pytest
from psycopg.errors import InsufficientPrivilege

from pipeline import files as stored_files
from pipeline.database import queries
from pipeline.http.quotas import limits
from pipeline.http.quotas.slots import UPLOAD
from tests.files import hostile_pdf
from tests.forms.paper import Paper
from tests.interviews.language import question, template

WITH_SCRIPT, _ = hostile_pdf.FILES["an action that names JavaScript by a reference"]
QUESTIONS = template(
    question("email", "email"), question("papers", "file", max_files=2, max_size=1, accept=["txt", "pdf"])
)


@pytest.fixture
def form(organization):
    """A public form with a question for files."""
    return organization.public_form(**QUESTIONS)


@pytest.fixture
def paper(visit, form):
    """The form with an uploaded file."""
    return visit(form).fill(email="ada@engine.example").attach("papers", "a.txt", b"one").press("upload:papers")


@pytest.fixture
def files(organization, owner):
    """files(): (name, whether a draft has it, whether a response has it) of each file."""
    sql = "select filename, draft_token is not null, invite_id is not null from app.files where organization_id = %s"
    return lambda: sorted(owner.execute(sql, [organization.id]).fetchall())


@pytest.fixture
def stored_bytes(organization, owner):
    """stored_bytes(): what counts to the organization's storage."""
    sql = "select coalesce(sum(bytes), 0) from app.storage_use where organization_id = %s"
    return lambda: owner.execute(sql, [organization.id]).fetchone()[0]


@pytest.fixture
def invites(organization):
    """invites(): the organization's invites and responses."""
    return lambda: organization.member.get("/api/interview-invites", status=200).json["data"]


@pytest.fixture
def as_draft(form, organization, login_url):
    """as_draft(token): the database as the login of forms sees it with a draft's token."""
    with psycopg.connect(organization.server(login_url("pipeline_forms"))) as connection, queries.on(connection):

        def enter(token):
            connection.rollback()
            queries.public_capture_open(slug=form["public_slug"])
            queries.capture_draft_open(token=token)
            return connection

        yield enter


def test_the_rep_reads_the_files_of_a_response(paper, files, invites, organization):
    assert (paper.text(".files bdi"), files()) == (["a.txt"], [("a.txt", True, False)])
    assert paper.press().text("dd:not(.change)") == ["ada@engine.example", "a.txt (1 kB)"]
    assert paper.press("submit").state == "done"
    assert files() == [("a.txt", False, True)]
    (invite,) = invites()
    (file,) = organization.responses(invite)["answers"]["papers"]
    path = f"/api/interview-invites/{invite['id']}/files/{file['id']}"
    assert organization.member.get(path, status=200).body == b"one"


def test_a_file_is_removed_by_itself_or_with_its_answer_until_the_submit(paper, files, stored_bytes):
    paper.attach("papers", "b.pdf", b"MZ").press("upload:papers", status=422)
    assert paper.errors()["papers"].startswith("b.pdf – This file is damaged")
    remove = paper.html.select_one(".files button")["value"]
    assert paper.press(remove).text(".files bdi") == []
    assert (files(), stored_bytes()) == ([], 0)
    paper.attach("papers", "a.txt", b"one").press("upload:papers")
    paper.html.select_one("button.primary")["value"] = "clear:papers"
    assert paper.press("clear:papers").text(".files bdi") == []
    assert files() == []


@pytest.mark.parametrize(
    ("name", "content"), [("a.exe", b"MZ"), ("b.pdf", WITH_SCRIPT()), ("c.txt", b"a" * 1_100_000), ("a\u202etxt", b"x")]
)
def test_a_file_that_cannot_be_taken_is_refused_and_not_kept(name, content, visit, form, files):
    assert list(visit(form).attach("papers", name, content).press(status=422).errors()) == ["papers"]
    assert files() == []


def test_another_visitor_sees_and_removes_no_file(paper, visit, form, files):
    other, remove = visit(form), paper.html.select_one(".files button")["value"]
    assert other.press().press("step:one").text(".files bdi") == []
    other.html.select_one("button.primary")["value"] = remove
    other.press(remove)
    assert files() == [("a.txt", True, False)]


def test_the_database_shows_a_file_to_its_draft_alone_and_takes_none_for_another(paper, as_draft, organization, owner):
    (token,) = owner.execute(
        "select token from app.capture_drafts where organization_id = %s", [organization.id]
    ).fetchone()
    for draft, count in ((token, 1), ("b" * 64, 0)):
        for table in ("files", "file_chunks"):
            assert as_draft(draft).execute(f"select count(*) from app.{table}").fetchone() == (count,)
    with pytest.raises(InsufficientPrivilege):
        queries.file_insert(filename="x", content_type="text/plain", size=1, sha256="0" * 64, created_by=None)


def test_after_the_submit_a_draft_takes_no_file(paper, files, anonymous):
    address, pairs = paper.path, [pair for pair in paper.form_pairs("upload:papers") if pair[0] != "papers"]
    paper.press().press("submit")
    late = [("papers", "late.txt", b"late")]
    anonymous.app.post(address, pairs, upload_files=late, headers=paper.headers, status=303)
    assert files() == [("a.txt", False, True)]


def test_a_robots_draft_is_deleted_with_its_files(paper, files, stored_bytes):
    paper.fill(_website_confirm="https://robot.example").press()
    assert (paper.state, files(), stored_bytes()) == ("done", [], 0)


def test_a_link_for_later_takes_the_files_along(paper, files, invites, visit):
    assert paper.fill(_email="ada@engine.example").press("later").state == "later"
    (invite,) = invites()
    assert files() == [("a.txt", False, True)]
    assert visit(invite, "?step=one").text(".files bdi") == ["a.txt"]
    assert paper.open(f"{paper.path}&step=one".replace("_later=1", "")).text(".files bdi") == []


def test_the_api_takes_no_file_of_a_public_form(form, anonymous):
    body = {"answers": {"papers": [{"id": 1, "filename": "a.txt", "size": 3}]}}
    path = f"/api/public/interview/capture/{form['public_slug']}/submit"
    assert anonymous.post(path, body, status=422).json["errors"][0]["code"] == "uploaded_only"


@pytest.fixture
def counted(counting, form):
    """The form where files are counted."""
    return Paper(counting, f"/forms/capture/{form['public_slug']}")


def uploads(paper):
    """The states after four uploads of a file of one MiB at most, each removed."""
    for number in range(4):
        yield paper.attach("papers", "a.txt", b"%d" % number).press("upload:papers").state
        if paper.state == "step":
            paper.press(paper.html.select_one(".files button")["value"])


def test_beyond_two_mebibytes_for_each_lead_of_its_quota_a_form_takes_no_file_and_leads_back_to_its_question(counted):
    assert list(itertools.islice(uploads(counted), 3)) == ["step", "step", "crowded"]
    assert counted.text("main p")[-1].endswith("The files that you chose are not kept. Choose them again afterwards.")
    assert counted.value("_go") == "upload:papers"


def test_an_organization_takes_in_one_file_at_a_time(visit, form, wsgi, organization, files):
    paper = visit(form).attach("papers", "a.txt", b"one")
    with wsgi.registry.slots.slot(UPLOAD, organization.id):
        paper.press("upload:papers", status=422)
    assert paper.errors()["papers"] == "a.txt – Another file is being taken in. Please try again in a moment."
    assert files() == []


def test_without_room_the_form_says_whom_to_tell(visit, form, monkeypatch, files):
    monkeypatch.setattr(stored_files, "_quota", 1)
    paper = visit(form).attach("papers", "a.txt", b"one").press("upload:papers", status=422)
    assert paper.errors()["papers"].endswith("Please tell the organization that this form belongs to.")
    assert files() == []


def test_an_address_has_a_limit_of_its_own(counted, monkeypatch):
    monkeypatch.setattr(limits, "FORM_FILES", limits.FORM_FILES._replace(quota=1))
    assert list(itertools.islice(uploads(counted), 2)) == ["step", "limited"]
