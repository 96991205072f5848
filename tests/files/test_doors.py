"""Real files through every upload and download: each is returned byte by byte."""

import csv
import hashlib
import io
import secrets

import pytest
from PIL import Image

from pipeline.files.content import MORE_MEDIA_TYPES
from tests.contracts.support import TEMPLATE, upload
from tests.files import real
from tests.forms.paper import Paper
from tests.leads.csv_files import send
from tests.support import interview

ANSWERS = ["letter.docx", "form.pdf", "seats.xlsx", "seats.csv", "notes.txt", "scan.png", "scan.jpg"]
ACCEPTED = sorted(set(MORE_MEDIA_TYPES) - {"jpg"})


@pytest.fixture(scope="module")
def files(tmp_path_factory):
    """Files of real sizes by name."""
    return real.files(tmp_path_factory.mktemp("office"))


@pytest.fixture
def invite(organization):
    """An invite to an interview that asks for files."""
    question = {"key": "papers", "type": "file", "label": "Papers", "max_files": 5, "accept": ACCEPTED}
    template = organization.template(
        slug=secrets.token_hex(8), questions=[question], pages=[{"key": "one", "questions": ["papers"]}]
    )
    return organization.invite(template)


@pytest.fixture
def contract(admin, member):
    """A contract, a draft."""
    template = admin.post("/api/contract-templates", TEMPLATE, status=201).json
    return member.post(
        "/api/contracts", {"template_id": template["id"], "effective_date": "2026-02-01"}, status=201
    ).json


def described(content):
    """(size, SHA-256) of bytes."""
    return len(content), hashlib.sha256(content).hexdigest()


def test_the_files_have_real_sizes(files):
    assert len(files["letter.docx"]) > 150_000
    assert min(len(files[name]) for name in ("scan.png", "scan.jpg")) > 4_000_000
    assert len(files["signed.pdf"]) > 20_000_000
    assert len(files["seats.xlsx"]) > 100_000


def test_an_executed_copy_comes_back_byte_by_byte(files, member, contract):
    content, path = files["signed.pdf"], f"/api/contracts/{contract['id']}/executed"
    stored = upload(member, path, content, "signed.pdf", status=201).json["executed_file"]
    assert (stored["size"], stored["sha256"]) == described(content)
    assert described(member.get(path, status=200).body) == described(content)


@pytest.mark.parametrize("name", ANSWERS)
def test_an_answer_over_the_api_comes_back_byte_by_byte(files, anonymous, member, invite, name):
    path = f"{interview(invite)}/files?question=papers"
    saved = anonymous.app.post(path, upload_files=[("file", name, files[name])], status=201).json
    (file,) = saved["answers"]["papers"]
    assert file["size"] == len(files[name])
    download = member.get(f"/api/interview-invites/{invite['id']}/files/{file['id']}", status=200)
    assert described(download.body) == described(files[name])


@pytest.mark.parametrize("name", ["form.pdf", "scan.jpg"])
def test_an_answer_on_a_page_comes_back_byte_by_byte(files, anonymous, member, invite, name):
    Paper(anonymous.app, f"/forms/interview/{invite['token']}").attach("papers", name, files[name]).press()
    (file,) = member.get(f"/api/interview-invites/{invite['id']}/responses", status=200).json["answers"]["papers"]
    download = member.get(f"/api/interview-invites/{invite['id']}/files/{file['id']}", status=200)
    assert described(download.body) == described(files[name])


@pytest.mark.parametrize("name", ["form.pdf", "scan.jpg"])
def test_an_answer_on_a_public_form_comes_back_byte_by_byte(files, organization, anonymous, name):
    question = {"key": "papers", "type": "file", "label": "Papers", "accept": ACCEPTED}
    pages = [{"key": "one", "questions": ["papers"]}]
    changes = {"public_slug": organization.name, "lead_capture_enabled": True, "questions": [question], "pages": pages}
    organization.template(**changes)
    form = Paper(anonymous.app, f"/forms/capture/{organization.name}").attach("papers", name, files[name])
    assert form.press().press("submit").state == "done"
    (invite,) = organization.member.get("/api/interview-invites", status=200).json["data"]
    path = f"/api/interview-invites/{invite['id']}"
    (file,) = organization.member.get(f"{path}/responses", status=200).json["answers"]["papers"]
    download = organization.member.get(f"{path}/files/{file['id']}", status=200)
    assert described(download.body) == described(files[name])


def test_a_logo_keeps_its_pixels(organization, anonymous):
    content = real.noise("PNG", 800)
    record = upload(organization.admin, "/api/organization/logo", content, "logo.png", "logo", status=201).json
    shown = anonymous.app.get(f"/forms/logo/{record['logo']['sha256']}", status=200).body
    pixels = [Image.open(io.BytesIO(image)).convert("RGB").tobytes() for image in (content, shown)]
    assert pixels[0] == pixels[1]


def test_every_row_of_an_import_is_exported_again(admin, files):
    assert send(admin, files["seats.csv"], status=200).json["imported"] == 5_000
    exported = csv.DictReader(io.StringIO(admin.get("/api/leads/export", status=200).body.decode("utf-8-sig")))
    sent = csv.DictReader(io.StringIO(files["seats.csv"].decode()))
    names = ("first_name", "last_name", "email", "company")
    assert {tuple(row[name] for name in names) for row in exported} >= {
        tuple(row[name] for name in names) for row in sent
    }
