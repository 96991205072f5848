"""Files as answers: uploaded by token, checked, limited, removed, locked by the submit, read by reps."""

import io
import secrets
import zipfile

import pytest

from tests.contracts.support import image_file, pdf_file
from tests.support import codes, interview

OTHER = {"key": "other", "type": "short_text", "label": "Other"}


@pytest.fixture
def ask(organization):
    """ask(**rules): an invite to an interview with a question for files."""

    def make(**rules):
        question = {"key": "papers", "type": "file", "label": "Papers", **rules}
        return organization.invite(
            organization.template(
                slug=secrets.token_hex(8),
                questions=[question, OTHER],
                pages=[{"key": "one", "questions": ["papers", "other"]}],
            )
        )

    return make


@pytest.fixture
def upload(anonymous):
    """upload(invite, content, name): the answer to an upload."""

    def send(invite, content=b"one", name="a.txt", question="papers", status=201, headers=None):
        path = f"{interview(invite)}/files?question={question}"
        return anonymous.app.post(path, upload_files=[("file", name, content)], status=status, headers=headers)

    return send


@pytest.fixture
def files(owner):
    """files(invite): how many files are kept for it."""
    return lambda invite: owner.execute(
        "select count(*) from app.files where invite_id = %s", [invite["id"]]
    ).fetchone()[0]


@pytest.fixture
def stored_bytes(organization, owner):
    """stored_bytes(): what counts to the organization's storage."""
    return lambda: owner.execute(
        "select coalesce(sum(bytes), 0) from app.storage_use where organization_id = %s", [organization.id]
    ).fetchone()[0]


def workbook():
    """An Excel workbook as small as it can be."""
    main = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet.main+xml"
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w") as archive:
        override = f'<Override PartName="/xl/workbook.xml" ContentType="{main}"/>'
        archive.writestr("[Content_Types].xml", f"<Types>{override}</Types>")
        archive.writestr("xl/workbook.xml", "<workbook/>")
    return made.getvalue()


def test_an_upload_becomes_an_answer_that_the_rep_reads(ask, upload, organization, files, stored_bytes):
    invite = ask(max_files=2)
    saved = upload(invite, b"caf\xc3\xa9", "../b\u00fccher.csv").json
    (file,) = saved["answers"]["papers"]
    assert (saved["status"], file["filename"], file["size"], files(invite), stored_bytes()) == (
        "started",
        "b\u00fccher.csv",
        5,
        1,
        5,
    )
    answer = organization.member.get(f"/api/interview-invites/{invite['id']}/files/{file['id']}", status=200)
    assert (answer.body, answer.content_type) == (b"caf\xc3\xa9", "text/csv")
    assert answer.headers["Content-Disposition"].startswith("attachment")
    assert answer.headers["Content-Security-Policy"] == "default-src 'none'; sandbox"
    assert answer.headers["X-Content-Type-Options"] == "nosniff"


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("a.pdf", pdf_file()),
        ("a.PNG", image_file("PNG")),
        ("a.jpeg", image_file("JPEG")),
        ("a.xlsx", workbook()),
        ("a.txt", "a".encode("utf-16")),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_every_kind_of_file_is_taken_for_what_it_is(name, content, ask, upload):
    upload(ask(), content, name)


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("a.exe", b"MZ"),
        ("a", b"one"),
        ("a.pdf", b"one"),
        ("a.txt", b"a\x00b"),
        ("a.txt", b"\xff"),
        ("a.csv", pdf_file()),
        ("a.txt", workbook()),
        ("a.docx", workbook()),
        ("a.html", b"<script>"),
        ("a.svg", b"<svg/>"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_a_file_that_is_not_what_it_says_is_refused(name, content, ask, upload, files):
    invite = ask()
    assert upload(invite, content, name, status=422).json["code"] == "unsupported_file"
    assert files(invite) == 0


def test_a_question_takes_no_more_and_nothing_else_than_it_says(ask, upload, files):
    invite = ask(accept=["pdf"], max_files=1, max_size=1)
    assert upload(invite, b"one", "a.txt", status=422).json["code"] == "unsupported_file"
    assert upload(invite, pdf_file() + b" " * 2**20, "a.pdf", status=413).json["code"] == "body_too_large"
    upload(invite, pdf_file(), "a.pdf")
    assert dict(codes(upload(invite, pdf_file(b"other"), "b.pdf", status=422))) == {"question": "too_many_files"}
    assert dict(codes(upload(invite, question="other", status=422))) == {"question": "unknown_question"}
    assert files(invite) == 1


def test_the_same_file_once_more_is_the_same_answer(ask, upload, files):
    invite = ask()
    once = upload(invite).json["answers"]
    assert upload(invite, name="again.txt").json["answers"] == once
    assert files(invite) == 1


def test_a_file_is_taken_away_with_its_room(ask, upload, anonymous, files, stored_bytes):
    invite = ask(max_files=2)
    upload(invite, b"one")
    first, second = upload(invite, b"second").json["answers"]["papers"]
    anonymous.delete(f"{interview(invite)}/files/{first['id']}", status=204)
    assert anonymous.get(interview(invite)).json["answers"] == {"papers": [second]}
    assert (files(invite), stored_bytes()) == (1, 6)
    anonymous.delete(f"{interview(invite)}/files/{first['id']}", status=404)


def test_an_upload_that_is_repeated_under_its_key_is_not_done_again(ask, upload, anonymous):
    invite, key = ask(), {"Idempotency-Key": secrets.token_hex(8)}
    first = upload(invite, headers=key).json
    anonymous.delete(f"{interview(invite)}/files/{first['answers']['papers'][0]['id']}", status=204)
    repeated = upload(invite, headers=key)
    assert (repeated.json, repeated.headers["Idempotency-Replayed"]) == (first, "true")
    assert anonymous.get(interview(invite)).json["answers"] == {}
    assert upload(invite, b"two", headers=key, status=422).json["code"] == "idempotency_key_reused"


def test_an_answer_that_is_cleared_takes_its_files_along(ask, upload, anonymous, files):
    invite = ask()
    upload(invite)
    anonymous.patch(interview(invite), {"answers": {"papers": None}}, status=200)
    assert files(invite) == 0


def test_files_cannot_be_made_up_but_sent_back_as_they_are(ask, upload, anonymous):
    invite, other = ask(), ask()
    kept = upload(invite).json["answers"]
    anonymous.patch(interview(invite), {"answers": kept}, status=200)
    answer = anonymous.patch(interview(other), {"answers": kept}, status=422)
    assert dict(codes(answer)) == {"answers.papers": "uploaded_only"}


def test_the_submit_locks_the_files(ask, upload, anonymous, files):
    invite = ask(required=True)
    assert dict(codes(anonymous.post(f"{interview(invite)}/submit", {}, status=422))) == {"answers.papers": "required"}
    (file,) = upload(invite).json["answers"]["papers"]
    anonymous.post(f"{interview(invite)}/submit", {}, status=200)
    assert upload(invite, b"two", status=409).json["code"] == "invite_submitted"
    anonymous.delete(f"{interview(invite)}/files/{file['id']}", status=409)
    assert files(invite) == 1


def test_nothing_is_uploaded_to_an_expired_or_unknown_invite(ask, upload, organization):
    invite = ask()
    organization.expire_by_time(invite)
    assert upload(invite, status=410).json["code"] == "invite_expired"
    upload({"token": "0" * 64}, status=404)


def test_one_invite_reaches_no_file_of_another(ask, upload, anonymous, organization, files):
    mine, other = ask(), ask()
    (file,) = upload(other).json["answers"]["papers"]
    anonymous.delete(f"{interview(mine)}/files/{file['id']}", status=404)
    organization.member.get(f"/api/interview-invites/{mine['id']}/files/{file['id']}", status=404)
    assert files(other) == 1


def test_a_rep_reads_only_what_counts_as_an_answer(organization, upload):
    shown = {"question": "other", "op": "empty"}
    questions = [OTHER, {"key": "papers", "type": "file", "label": "Papers", "visible_if": shown}]
    template = organization.template(questions=questions, pages=[{"key": "one", "questions": ["other", "papers"]}])
    invite = organization.invite(template)
    (file,) = upload(invite).json["answers"]["papers"]
    path = f"/api/interview-invites/{invite['id']}/files/{file['id']}"
    organization.member.get(path, status=200)
    organization.member.app.patch_json(interview(invite), {"answers": {"other": "x"}}, status=200)
    organization.member.get(path, status=404)


def test_a_template_has_at_most_five_questions_for_files(organization):
    questions = [{"key": f"f{number}", "type": "file", "label": "File"} for number in range(6)]
    body = {
        "name": "A",
        "slug": "a",
        "public_slug": organization.name,
        "lead_capture_enabled": True,
        "questions": questions,
    }
    body["pages"] = [{"key": "one", "questions": [question["key"] for question in questions]}]
    answer = organization.admin.post("/api/interview-templates", body, status=422)
    assert dict(codes(answer)) == {"questions.5": "too_long"}
