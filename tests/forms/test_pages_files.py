import itertools

import pytest

from pipeline import files as stored_files
from pipeline.http.fairness import limits
from pipeline.http.fairness.slots import UPLOAD
from tests.files import hostile_pdf
from tests.forms.paper import Paper
from tests.interviews.language import question, template

WITH_SCRIPT, _ = hostile_pdf.FILES["an action that names JavaScript by a reference"]
QUESTIONS = template(
    question("email", "email"), question("papers", "file", max_files=2, max_size=1, accept=["txt", "pdf"])
)


@pytest.fixture
def form(organization):
    return organization.public_form(**QUESTIONS)


@pytest.fixture
def paper(visit, form):
    return visit(form).fill(email="ada@engine.example").attach("papers", "a.txt", b"one").press("upload:papers")


def files(organization):
    """(name, whether a draft has it, whether a response has it) of each file."""
    sql = "select filename, draft_token is not null, invite_id is not null from app.files where organization_id = %s"
    return sorted(organization.owner.execute(sql, [organization.id]).fetchall())


def stored_bytes(organization):
    sql = "select coalesce(sum(bytes), 0) from app.storage_use where organization_id = %s"
    return organization.owner.execute(sql, [organization.id]).fetchone()[0]


def test_the_rep_reads_the_files_of_a_response(paper, organization):
    assert (paper.text(".files bdi"), files(organization)) == (["a.txt"], [("a.txt", True, False)])
    assert paper.press().text("dd:not(.change)") == ["ada@engine.example", "a.txt (1 kB)"]
    assert paper.press("submit").state == "done"
    assert files(organization) == [("a.txt", False, True)]
    (invite,) = organization.invites()
    (file,) = organization.responses(invite)["answers"]["papers"]
    path = f"/api/interview-invites/{invite['id']}/files/{file['id']}"
    assert organization.member.get(path, status=200).body == b"one"


def test_a_file_is_removed_by_itself_or_with_its_answer_until_the_submit(paper, organization):
    remove = paper.html.select_one(".files button")["value"]
    assert paper.press(remove).text(".files bdi") == []
    assert (files(organization), stored_bytes(organization)) == ([], 0)
    paper.attach("papers", "a.txt", b"one").press("upload:papers")
    paper.html.select_one("button.primary")["value"] = "clear:papers"
    assert paper.press("clear:papers").text(".files bdi") == []
    assert files(organization) == []


def test_another_visitor_sees_and_removes_no_file(paper, visit, form, organization):
    other, remove = visit(form), paper.html.select_one(".files button")["value"]
    assert other.press().press("step:one").text(".files bdi") == []
    other.html.select_one("button.primary")["value"] = remove
    other.press(remove)
    assert files(organization) == [("a.txt", True, False)]


def test_after_the_submit_a_draft_takes_no_file(paper, organization, anonymous):
    address, pairs = paper.path, [pair for pair in paper.form_pairs("upload:papers") if pair[0] != "papers"]
    paper.press().press("submit")
    late = [("papers", "late.txt", b"late")]
    anonymous.app.post(address, pairs, upload_files=late, headers=paper.headers, status=303)
    assert files(organization) == [("a.txt", False, True)]


def test_a_robots_draft_is_deleted_with_its_files(paper, organization):
    paper.fill(_website_confirm="https://robot.example").press()
    assert (paper.state, files(organization), stored_bytes(organization)) == ("done", [], 0)


def test_a_link_for_later_takes_the_files_along(paper, organization, visit):
    assert paper.fill(_email="ada@engine.example").press("later").state == "later"
    (invite,) = organization.invites()
    assert files(organization) == [("a.txt", False, True)]
    assert visit(invite, "?step=one").text(".files bdi") == ["a.txt"]
    assert paper.open(f"{paper.path}&step=one".replace("_later=1", "")).text(".files bdi") == []


def test_the_api_takes_no_file_of_a_public_form(form, anonymous):
    body = {"answers": {"papers": [{"id": 1, "filename": "a.txt", "size": 3}]}}
    path = f"/api/public/interview/capture/{form['public_slug']}/submit"
    assert anonymous.post(path, body, status=422).json["errors"][0]["code"] == "uploaded_only"


@pytest.fixture
def counted(counting, form):
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


def test_an_empty_file_is_refused_by_a_sentence(visit, form, organization):
    paper = visit(form).attach("papers", "a.txt", b"").press("upload:papers", status=422)
    assert paper.errors()["papers"] == "a.txt – This file is empty. Choose the file with your content."
    assert files(organization) == []


def test_an_organization_takes_in_one_file_at_a_time(visit, form, wsgi, organization):
    paper = visit(form).attach("papers", "a.txt", b"one")
    with wsgi.registry.slots.slot(UPLOAD, organization.id):
        paper.press("upload:papers", status=422)
    assert paper.errors()["papers"] == "a.txt – Another file is being taken in. Please try again in a moment."
    assert files(organization) == []


def test_without_room_the_form_says_whom_to_tell(visit, form, monkeypatch, organization):
    monkeypatch.setattr(stored_files, "_quota", 1)
    paper = visit(form).attach("papers", "a.txt", b"one").press("upload:papers", status=422)
    assert paper.errors()["papers"].endswith("Please tell the organization that this form belongs to.")
    assert files(organization) == []


def test_an_address_has_a_limit_of_its_own(counted, monkeypatch):
    monkeypatch.setattr(limits, "FORM_FILES", limits.FORM_FILES._replace(quota=1))
    assert list(itertools.islice(uploads(counted), 2)) == ["step", "limited"]


def test_files_are_uploaded_with_whatever_else_the_page_holds_and_taken_away_again(ask):
    paper = ask(type="file", max_files=2, accept=["txt", "pdf"])
    assert paper.text("#n-it") == ["Up to 2 files of at most 10 MiB each: TXT, PDF."]
    assert paper.html.select_one("#f-it")["accept"] == ".txt,.pdf"
    paper.attach("it", "a.txt", b"one").attach("it", "<b>.txt", b"two").press("upload:it")
    assert (paper.step, paper.text(".files bdi")) == ("one", ["a.txt", "b.txt"])
    assert paper.html.select_one("#f-it").name == "p"
    remove = paper.html.select_one(".files button")
    assert remove["aria-label"] == "Remove the file a.txt"
    assert paper.press(remove["value"]).text(".files bdi") == ["b.txt"]
    assert paper.press().text("dd:not(.change)") == ["b.txt (1 kB)"]
    assert paper.press("submit").stored()["it"][0]["filename"] == "b.txt"


def test_continue_uploads_what_was_chosen(ask):
    paper = ask(type="file", required=True).press(status=422)
    assert paper.text("#errors a") == ["Upload a file for “It”."]
    assert paper.attach("it", "a.csv", b"a,b").press().text("dd:not(.change)") == ["a.csv (1 kB)"]


@pytest.mark.parametrize(
    ("name", "content", "sentence"),
    [
        ("a.b__c.exe", b"MZ", "This file has the wrong type. Choose a file of the type TXT, PDF."),
        ("a.pdf", b"MZ", "This file is damaged, or is not what its name says."),
        ("a.pdf", WITH_SCRIPT(), "This file holds a password, macros, scripts or other active content."),
        ("a.txt", b"a" * 1_100_000, "Please choose a file of at most 1 MiB."),
        ("a\u202ecod.txt", b"one", ""),
    ],
)
def test_a_file_that_cannot_be_taken_is_refused_beside_its_question(name, content, sentence, ask):
    paper = ask(type="file", accept=["txt", "pdf"], max_size=1)
    paper.attach("it", name, content).press(status=422)
    named = name.replace("\u202e", "")  # which would change the direction of reading
    assert paper.errors()["it"].startswith(f"{named} – {sentence}")
    assert paper.text("#errors a")[0].startswith(f"It – {named} – {sentence}")
    assert paper.text(".files bdi") == []


def test_one_file_that_cannot_be_taken_keeps_no_other_from_being_kept(ask):
    paper = ask(type="file", max_files=2)
    paper.attach("it", "a.txt", b"one").attach("it", "b.exe", b"MZ").attach("it", "c.txt", b"two").press(status=422)
    assert [error.partition(" – ")[0] for error in paper.errors().values()] == ["b.exe"]
    assert paper.text(".files bdi") == ["a.txt", "c.txt"]


def test_a_file_more_than_the_question_takes_is_refused(ask):
    paper = ask(type="file").attach("it", "a.txt", b"one").attach("it", "b.txt", b"other").press(status=422)
    assert paper.errors() == {"it": "b.txt – Please remove a file before you add another one: at most 1."}


def test_a_refused_upload_complains_of_nothing_that_was_not_to_be_sent_yet(small):
    paper = small(question("it", "file"), question("name", required=True))
    paper.attach("it", "a.exe", b"MZ").press("upload:it", status=422)
    assert list(paper.errors()) == ["it"]
    assert list(paper.press(status=422).errors()) == ["name"]
