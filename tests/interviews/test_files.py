import secrets

import pytest

from tests.contracts.support import pdf_file
from tests.files.packages import workbook
from tests.interviews.language import condition, question, template
from tests.support import codes, interview

OTHER = question("other")


@pytest.fixture
def ask(organization):
    def make(**rules):
        form = template(question("papers", "file", **rules), OTHER)
        return organization.invite(organization.template(slug=secrets.token_hex(8), **form))

    return make


@pytest.fixture
def upload(anonymous):
    def send(invite, content=b"one", name="a.txt", question="papers", status=201):
        path = f"{interview(invite)}/files?question={question}"
        return anonymous.app.post(path, upload_files=[("file", name, content)], status=status)

    return send


@pytest.fixture
def remove(anonymous):
    return lambda invite, file, status=204: anonymous.delete(f"{interview(invite)}/files/{file['id']}", status=status)


@pytest.fixture
def download(organization):
    path = "/api/interview-invites/{}/files/{}"
    return lambda invite, file, status=200: organization.member.get(
        path.format(invite["id"], file["id"]), status=status
    )


@pytest.fixture
def kept(owner):
    """kept(invite): (how many files are kept for it, what they count to the organization's storage)."""
    files = "select count(*) from app.files where invite_id = %s"
    storage = "select coalesce(sum(bytes), 0) from app.storage_use where organization_id = %s"
    return lambda invite: (
        owner.execute(files, [invite["id"]]).fetchone()[0],
        owner.execute(storage, [invite["organization_id"]]).fetchone()[0],
    )


def test_an_upload_becomes_an_answer_once_that_the_rep_reads(ask, upload, download, kept):
    invite = ask(max_files=2)
    saved = upload(invite, b"caf\xc3\xa9", "../b\u00fccher.csv").json
    (file,) = saved["answers"]["papers"]
    assert (saved["status"], file["filename"], file["size"], kept(invite)) == ("started", "b\u00fccher.csv", 5, (1, 5))
    assert upload(invite, b"caf\xc3\xa9", "b\u00fccher.csv").json["answers"] == saved["answers"]
    answer = download(invite, file)
    assert (answer.body, answer.content_type) == (b"caf\xc3\xa9", "text/csv")
    assert answer.headers["Content-Disposition"].startswith("attachment")
    assert answer.headers["Content-Security-Policy"] == "default-src 'none'; sandbox"
    assert answer.headers["X-Content-Type-Options"] == "nosniff"


def test_the_same_content_with_another_name_is_another_file(ask, upload, kept):
    invite = ask(max_files=2)
    upload(invite, b"1", "one.csv")
    files = upload(invite, b"1", "two.csv").json["answers"]["papers"]
    assert [file["filename"] for file in files] == ["one.csv", "two.csv"]
    assert kept(invite) == (2, 2)


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "cp1252", "macroman", "cp1251", "shift_jis"])
@pytest.mark.parametrize("name", ["a.csv", "a.txt"])
def test_a_text_may_have_any_usual_encoding(encoding, name, ask, upload, download):
    words = {"cp1251": "Имя;Город", "shift_jis": "名前;東京"}
    content = words.get(encoding, "Größe;Café").encode(encoding)
    invite = ask()
    (file,) = upload(invite, content, name).json["answers"]["papers"]
    assert download(invite, file).body == content


def test_an_empty_file_is_refused(ask, upload):
    (error,) = upload(ask(), b"", "a.csv", status=422).json["errors"]
    assert (error["code"], error["message"]) == ("required", "Must be a file that is not empty.")


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("a.exe", b"MZ"),
        ("a.pdf", b"one"),
        ("a.txt", b"a\x00b"),
        ("a.csv", "a".encode("utf-16-le")),
        ("a.csv", b"\xff\xfea"),
        ("a.csv", "Größe;=1+1".encode("cp1252")),
        ("a.csv", "名前;＝1+1".encode("shift_jis")),
        ("a.csv", "姓名;＝1+1".encode("gb18030")),
        ("a.csv", "Größe;＝1+1".encode() + b"\xe4"),
        ("a.csv", pdf_file()),
        ("a.txt", workbook()),
        ("a.docx", workbook()),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_a_file_that_is_not_what_it_says_is_refused(name, content, ask, upload, kept):
    invite = ask()
    assert upload(invite, content, name, status=422).json["code"] == "unsupported_file"
    assert kept(invite) == (0, 0)


def test_a_question_takes_no_more_and_nothing_else_than_it_says(ask, upload, kept):
    invite = ask(accept=["pdf"], max_files=1, max_size=1)
    assert upload(invite, b"one", "a.txt", status=422).json["code"] == "unsupported_file"
    assert upload(invite, pdf_file() + b" " * 2**20, "a.pdf", status=413).json["code"] == "body_too_large"
    upload(invite, pdf_file(), "a.pdf")
    assert codes(upload(invite, pdf_file(b"other"), "b.pdf", status=422)) == [("question", "too_many_files")]
    (error,) = upload(invite, question="other", status=422).json["errors"]
    assert (error["code"], error["message"]) == ("unknown_question", "Must be the key of a file question.")
    assert kept(invite)[0] == 1


def test_a_file_is_taken_away_with_its_room_by_itself_or_with_its_answer(ask, upload, remove, anonymous, kept):
    invite = ask(max_files=2)
    upload(invite, b"one")
    first, second = upload(invite, b"second").json["answers"]["papers"]
    remove(invite, first)
    assert anonymous.get(interview(invite)).json["answers"] == {"papers": [second]}
    assert kept(invite) == (1, 6)
    remove(invite, first, status=404)
    anonymous.patch(interview(invite), {"answers": {"papers": None}}, status=200)
    assert kept(invite) == (0, 0)


def test_files_cannot_be_made_up_but_sent_back_as_they_are(ask, upload, anonymous):
    invite, other = ask(), ask()
    answers = upload(invite).json["answers"]
    anonymous.patch(interview(invite), {"answers": answers}, status=200)
    answer = anonymous.patch(interview(other), {"answers": answers}, status=422)
    assert codes(answer) == [("answers.papers", "uploaded_only")]


def test_the_submit_locks_the_files(ask, upload, remove, anonymous, kept):
    invite = ask(required=True)
    assert codes(anonymous.post(f"{interview(invite)}/submit", {}, status=422)) == [("answers.papers", "required")]
    (file,) = upload(invite).json["answers"]["papers"]
    anonymous.post(f"{interview(invite)}/submit", {}, status=200)
    assert upload(invite, b"two", status=409).json["code"] == "invite_submitted"
    remove(invite, file, status=409)
    assert kept(invite)[0] == 1


def test_nothing_is_uploaded_to_an_expired_or_unknown_invite(ask, upload, organization):
    invite = ask()
    organization.expire_by_time(invite)
    assert upload(invite, status=410).json["code"] == "invite_expired"
    upload({"token": "0" * 64}, status=404)


def test_one_invite_reaches_no_file_of_another(ask, upload, remove, download, kept):
    mine, other = ask(), ask()
    (file,) = upload(other).json["answers"]["papers"]
    remove(mine, file, status=404)
    download(mine, file, status=404)
    assert kept(other)[0] == 1


def test_a_rep_reads_only_what_counts_as_an_answer(ask, upload, download, anonymous, organization):
    papers = question("papers", "file", visible_if=condition("other", "empty"))
    invite = organization.invite(organization.template(**template(OTHER, papers)))
    (file,) = upload(invite).json["answers"]["papers"]
    download(invite, file)
    anonymous.patch(interview(invite), {"answers": {"other": "x"}}, status=200)
    download(invite, file, status=404)
