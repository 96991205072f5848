import io
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pikepdf
import pytest
from pyhanko.pdf_utils.incremental_writer import IncrementalPdfFileWriter

from pipeline.http.fairness import counts, limits, lines
from pipeline.signing.pages import verification
from pipeline.signing.sealing import certificates
from pipeline.signing.sealing import verification as sealing_verification
from tests.forms.paper import Paper
from tests.signing.envelopes import LAYOUT, changed, content, envelope, seal, sealed, shown, verified
from tests.signing.forging import HOSTILE, forged
from tests.waiting import wait_until

# Types of attributes of a CMS, as the seal has them.
CONTENT_TYPE, DIGEST = b"2A864886F70D010903", b"2A864886F70D010904"


@pytest.fixture
def check(anonymous):
    """check(content): the page after a check of a file with this content."""

    def send(content, **options):
        paper = Paper(anonymous.app, "/verify")
        files = [("file", "contract.pdf", content)] if content is not None else [("file", "", b"")]
        paper.response = paper.app.post("/verify", upload_files=files, headers=paper.headers, **options)
        return paper

    return send


def test_a_sealed_contract_is_told_with_signers_and_time_and_not_stored(check, owner):
    before = owner.execute("select count(*) from app.files").fetchone()
    page = check(sealed(), status=200)
    assert (page.state, page.text("h1")) == ("genuine", ["Signed here and unchanged"])
    *facts, sealed_at, signers = page.text("dd")[:6]
    assert facts == ["contract.pdf", "C-2026-0007", "Acme Licensing", "acme-licensing"]
    assert (sealed_at.endswith("(UTC)"), signers) == (True, "Erika Muster John Doe")
    assert owner.execute("select count(*) from app.files").fetchone() == before


@pytest.mark.parametrize(
    ("file", "state"),
    [
        (lambda: changed(sealed()), "changed"),
        (lambda: later(sealed()), "changed"),
        (lambda: sealed().replace(DIGEST, CONTENT_TYPE), "changed"),
        (lambda: rewritten(sealed()), "changed"),
        (lambda: forged(sealed()), "foreign"),
        pytest.param(lambda: sealed() + b"\n% more", "changed", marks=pytest.mark.long),
        (lambda: shown(content()), "foreign"),
        (lambda: stripped(sealed()), "foreign"),
    ],
    ids=[
        "one other byte",
        "a later revision",
        "a seal without a digest",
        "saved by another program",
        "all other pages",
        "more behind it",
        "never sealed",
        "the seal taken out",
    ],
)
def test_a_forged_file_is_reported_without_its_facts(file, state, check):
    page = check(file(), status=200)
    assert (page.state, page.text("dd")) == (state, ["contract.pdf"])


@pytest.mark.parametrize(
    ("given", "sentence"),
    [
        (None, "Choose a PDF."),
        (b"", "Choose a PDF."),
        (b"hello", "This file is not a PDF that can be read."),
        (b"%PDF-" + b"x" * 1024 * 1100, "Choose a file of at most 25 MiB."),
    ],
    ids=["none", "empty", "no pdf", "too large"],
)
def test_an_uncheckable_file_is_reported(given, sentence, check, monkeypatch):
    monkeypatch.setattr(verification, "FILE", verification.FILE._replace(limit=1024 * 1024))
    page = check(given, status=422)
    assert (page.state, page.errors()) == ("verify", {"file": sentence})


@pytest.mark.parametrize("name", HOSTILE)
def test_a_file_without_our_seal_is_not_parsed(name, check, monkeypatch):
    monkeypatch.setattr(sealing_verification, "CPU_SECONDS", 2)
    assert check(HOSTILE[name](), status=200).state == "foreign"


@pytest.fixture
def line(monkeypatch, wsgi):
    """The lines of a process with eight threads."""
    monkeypatch.setattr(wsgi.registry, "lines", lines.Lines(4))
    return wsgi.registry.lines


def test_a_check_waits_for_the_one_before_it(check, line):
    with ThreadPoolExecutor(1) as thread, line.turn(lines.CHECK, "10.0.0.1"):
        page = thread.submit(check, sealed(), status=200)
        wait_until(lambda: len(line.taken) == 2)
    assert page.result().state == "genuine"


def test_an_address_has_one_check_and_another_in_wait(check, line):
    mine, others = ({"status": 200, "extra_environ": {"REMOTE_ADDR": address}} for address in ("10.0.0.1", "10.0.0.2"))
    with ThreadPoolExecutor(2) as threads, line.turn(lines.CHECK, "10.0.0.1"):
        checks = [threads.submit(check, sealed(), **mine)]
        wait_until(lambda: len(line.taken) == 2)
        assert check(sealed(), **{**mine, "status": 429}).state == "unavailable"
        checks.append(threads.submit(check, sealed(), **others))
        wait_until(lambda: len(line.taken) == 3)
    assert [page.result().state for page in checks] == ["genuine", "genuine"]


def test_an_address_has_thirty_checks_in_ten_minutes(counting):
    form = {"upload_files": [("file", "", b"")], "headers": {"Sec-Fetch-Site": "same-origin"}}
    for _ in range(30):
        counting.post("/verify", status=422, **form)
    assert counting.post("/verify", status=429, **form).html.body["data-state"] == "limited"
    counting.get("/verify", status=200)


def test_beyond_three_hundred_requests_for_a_link_a_page_keeps_what_was_typed(counting, requested, signing):
    first, second = (signing.link(signer) for signer in requested(1, 1)["signers"])
    counting.app.registry.limits.count(f"{counts.PREFIX}:form-invite:{limits.digest(first)}:10.0.0.1", 600_000, 299)
    paper = Paper(counting, f"/sign/{first}").fill(signature="Pat")
    assert paper.press("sign", status=429).value("signature") == "Pat"
    counting.get(f"/sign/{second}", status=200)
    counting.get(f"/sign/{first}", extra_environ={"REMOTE_ADDR": "10.0.0.2"}, status=200)


def test_the_page_speaks_the_language_of_the_browser(anonymous):
    page = Paper(anonymous.app, "/verify", **{"Accept-Language": "ar"})
    assert (page.html.html["lang"], page.html.html["dir"], page.response.status_int) == ("ar", "rtl", 200)


@pytest.fixture
def elsewhere(tmp_path, sealing_settings):
    """The same contract with the seal of another service."""
    store, _public = certificates.made_in(tmp_path / "other")
    sealing_settings(signing_certificate=str(store))
    return seal(envelope(), content(), LAYOUT)


def later(pdf):
    """A file with a revision after the seal."""
    writer = IncrementalPdfFileWriter(io.BytesIO(pdf))
    writer.root["/Lang"] = writer.root["/Lang"]
    writer.update_root()
    file = io.BytesIO()
    writer.write(file)
    return file.getvalue()


def rewritten(pdf):
    """The same contract, written anew by another program."""
    file = io.BytesIO()
    with pikepdf.open(io.BytesIO(pdf)) as opened:
        opened.save(file)
    return file.getvalue()


def stripped(pdf):
    """A file whose seal was taken out by another program."""
    file = io.BytesIO()
    with pikepdf.open(io.BytesIO(pdf)) as opened:
        del opened.Root.AcroForm, opened.Root.Perms
        for one in opened.pages:
            if "/Annots" in one:
                del one.Annots
        opened.save(file)
    return file.getvalue()


def test_the_seal_of_another_certificate_is_ours_once_it_is_known(elsewhere, tmp_path, sealing_settings, settings):
    found = verified(elsewhere)
    assert (found.ours, found.intact, found.reason) == (False, False, "foreign")
    both = tmp_path / "known.pem"
    pems = [tmp_path / "other" / certificates.PUBLIC, Path(settings.signing_known_certificates)]
    both.write_bytes(b"".join(pem.read_bytes() for pem in pems))
    sealing_settings(signing_known_certificates=str(both))
    assert verified(elsewhere).intact
    assert verified(sealed()).intact


@pytest.mark.long
def test_our_seal_before_a_foreign_one_does_not_vouch_for_it(elsewhere):
    assert verified(sealed() + elsewhere).reason == "changed"
