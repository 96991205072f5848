"""The page /verify: its results in plain words, its limits, and that it stores nothing."""

from dataclasses import replace

import pytest
from webtest import TestApp

from pipeline.http.front.application import make_app
from pipeline.http.quotas import counts, limits, slots
from pipeline.signing.pages import verification
from tests.forms.paper import Paper
from tests.signing.envelopes import changed, content, sealed, shown


@pytest.fixture
def check(anonymous):
    """check(content): the page after a check of a file with this content."""

    def send(content, path="/verify", **options):
        paper = Paper(anonymous.app, path)
        files = [("file", "contract.pdf", content)] if content is not None else [("file", "", b"")]
        paper.response = paper.app.post(path, upload_files=files, headers=paper.headers, **options)
        return paper

    return send


def test_a_sealed_contract_is_told_with_signers_and_time(check):
    page = check(sealed(), status=200)
    assert (page.state, page.text("h1")) == ("genuine", ["Signed here and unchanged"])
    assert page.text("dd")[:3] == ["contract.pdf", "C-2026-0007", "Acme Licensing"]
    assert page.text("dd")[3].endswith("(UTC)")
    assert page.text("dd")[4] == "Erika Muster John Doe"


def test_one_changed_byte_is_told_without_any_of_its_facts(check):
    page = check(changed(sealed()), status=200)
    assert (page.state, page.text("dd")) == ("changed", ["contract.pdf"])


def test_a_pdf_without_our_seal_is_not_ours(check):
    page = check(shown(content()), status=200)
    assert (page.state, page.text("dd")) == ("foreign", ["contract.pdf"])


@pytest.mark.parametrize(("given", "sentence"), [(None, "Choose a PDF."), (b"", "Choose a PDF.")])
def test_no_file_is_asked_for(given, sentence, check):
    page = check(given, status=422)
    assert (page.state, page.errors()) == ("verify", {"file": sentence})


def test_what_is_no_pdf_is_told(check):
    assert check(b"hello", status=422).errors() == {"file": "This file is not a PDF that can be read."}


def test_a_file_beyond_the_limit_is_refused(check, monkeypatch):
    monkeypatch.setattr(verification, "FILE", verification.FILE._replace(limit=1024 * 1024))
    assert check(b"%PDF-" + b"x" * 1024 * 1100, status=422).errors() == {"file": "Choose a file of at most 25 MiB."}


def test_a_process_checks_one_file_at_a_time(check, wsgi):
    with wsgi.registry.slots.slot(slots.CHECK, slots.NOBODY):
        page = check(sealed(), status=429)
        assert (page.state, check(b"", status=422).state) == ("unavailable", "verify")
    assert check(sealed(), status=200).state == "genuine"


def test_nothing_is_stored(check, owner):
    before = owner.execute("select count(*) from app.files").fetchone()
    check(sealed())
    assert owner.execute("select count(*) from app.files").fetchone() == before


@pytest.fixture
def counting(settings):
    """A client of an application that counts for real, by itself."""
    app = make_app(replace(settings, rate_limit_factor=1, redis_url="redis://127.0.0.1:1/0", database_pool=2))
    yield TestApp(app, extra_environ={"REMOTE_ADDR": "10.0.0.1"})
    for part in (app.registry.app, app.registry.forms, app.registry.limits):
        part.close()


def test_an_address_has_thirty_checks_in_ten_minutes(counting):
    form = {"upload_files": [("file", "", b"")], "headers": {"Sec-Fetch-Site": "same-origin"}}
    for _ in range(30):
        counting.post("/verify", status=422, **form)
    assert counting.post("/verify", status=429, **form).html.body["data-state"] == "limited"
    counting.get("/verify", status=200)


def test_an_address_has_three_hundred_requests_for_a_link_in_ten_minutes_and_then_keeps_what_was_typed(
    counting, request_signatures, signing
):
    first, second = (signing.link(signer) for signer in request_signatures(1, 1)["signers"])
    counting.app.registry.limits.count(f"{counts.PREFIX}:form-invite:{limits.digest(first)}:10.0.0.1", 600_000, 299)
    paper = Paper(counting, f"/sign/{first}").fill(signature="Pat")
    assert paper.press("sign", status=429).value("signature") == "Pat"
    counting.get(f"/sign/{second}", status=200)
    counting.get(f"/sign/{first}", extra_environ={"REMOTE_ADDR": "10.0.0.2"}, status=200)


def test_another_site_cannot_send_a_file(check, anonymous):
    headers = {"Sec-Fetch-Site": "cross-site"}
    anonymous.app.post("/verify", upload_files=[("file", "a.pdf", b"x")], headers=headers, status=403)


def test_the_page_speaks_the_language_of_the_browser(anonymous):
    page = Paper(anonymous.app, "/verify", **{"Accept-Language": "ar"})
    assert (page.html.html["lang"], page.html.html["dir"], page.response.status_int) == ("ar", "rtl", 200)
