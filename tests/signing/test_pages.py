"""The signer's page without a browser: each state; nothing happens twice or by a GET."""

import base64
from urllib.parse import urlencode

import pytest

from pipeline.signing.consent import TEXTS
from tests.forms.paper import Paper
from tests.signing.conftest import path_of, png
from tests.signing.paths import end


@pytest.fixture
def ask(request_signatures, signing, anonymous):
    """ask(*orders, **changes): the record of a request, and the page of each signer's link."""

    def open_all(*orders, **changes):
        record = request_signatures(*orders, **changes)
        links = [signing.link(signer) for signer in record["signers"]]
        return record, *(Paper(anonymous.app, f"/sign/{token}") for token in links)

    return open_all


@pytest.fixture
def statuses(member):
    """statuses(request): the states of its signers."""
    return lambda request: [signer["status"] for signer in member.get(path_of(request)).json["signers"]]


def beside(paper, name):
    """The path of a file of the page's link."""
    return f"/sign/{name}/{paper.path.split('/')[2].partition('?')[0]}"


def agree(paper, **typed):
    """Fill in the form of a page and send it."""
    consent = paper.html.select_one("[name=consent]")["value"]
    return paper.fill(signature="Pat Prospect", consent=[consent], **typed).press("sign")


def test_the_page_shows_the_contract_who_asks_and_who_signs(ask, contract, organization):
    _, page, _ = ask(1, 2, message="Hello\n<b>Pat</b>")
    assert (page.state, page.text("h1"), page.text(".organization")) == (
        "open",
        [contract["name"]],
        [organization.name],
    )
    assert page.text(".contract .h1") == [contract["contract_number"]]
    assert page.html.select_one(".message p:last-child").text == "Hello\n<b>Pat</b>"
    assert page.text(".signers .muted") == ["Asked to sign", "Not asked yet"]


def test_moments_are_told_with_the_time_zone(ask, owner, organization):
    owner.execute("update app.organizations set time_zone = 'America/New_York' where id = %s", [organization.id])
    _, page, _ = ask(1, 1)
    assert page.text(".facts dd")[1].endswith("(America/New York)")
    assert agree(page).text(".answers dd")[1].endswith("(America/New York)")


def test_a_get_changes_nothing_and_the_script_tells_of_a_view(ask, statuses):
    request, page = ask()
    for method in ("GET", "HEAD", "GET"):
        page.app.request(page.path, method=method, status=200)
    assert statuses(request) == ["sent"]
    page.app.post(page.html.select_one("[data-viewed]")["data-viewed"], headers=page.headers, status=204)
    assert statuses(request) == ["viewed"]


def test_a_typed_name_signs_and_a_reload_shows_what_was_signed(ask, statuses):
    request, page, _ = ask(1, 1)
    agree(page)
    assert (page.state, statuses(request)) == ("signed", ["signed", "sent"])
    assert page.text(".given")[0] == "Pat Prospect"
    assert TEXTS["en"] in page.text("dd")
    assert page.open("", status=200).state == "signed"
    assert page.html.select(".contract")


def test_a_form_that_is_sent_twice_signs_once(ask, owner):
    request, page = ask()
    pairs = page.fill(signature="Pat", consent=[page.html.select_one("[name=consent]")["value"]]).form_pairs("sign")
    for _ in range(2):
        page.app.post(page.path, urlencode(pairs), headers=page.headers, status=303)
    statement = "select count(*) from app.signature_events where request_id = %s and event = 'signed'"
    assert owner.execute(statement, [request["id"]]).fetchone() == (1,)


def test_what_is_missing_is_said_above_and_beside_its_field(ask, statuses):
    request, page = ask()
    page.fill(signature=" ").press("sign", status=422)
    assert page.errors() == {"signature": "Type your full name.", "consent": "Tick the box to agree."}
    assert [link["href"] for link in page.html.select("#errors a")] == ["#f-signature", "#f-consent"]
    assert (page.html.title.text[:6], statuses(request)) == ("Error:", ["sent"])


def test_what_was_typed_comes_back(ask):
    _, page = ask()
    page.fill(signature="Pat").press("sign", status=422)
    assert page.value("signature") == "Pat"


def test_a_drawing_signs_by_the_name_of_the_signer(ask, owner):
    request, page = ask()
    drawing = base64.b64encode(png()).decode()
    agree(page, kind="drawn", drawing=drawing)
    assert page.state == "signed"
    row = "select signature_kind, signature_text from app.signature_signers where request_id = %s"
    assert owner.execute(row, [request["id"]]).fetchone() == ("drawn", "Signer 0")
    image = page.app.get(page.html.select_one(".given img")["src"], status=200)
    assert image.body.startswith(b"\x89PNG")


@pytest.mark.parametrize(
    ("drawing", "sentence"),
    [
        ("", "Draw your signature, or choose “Type your name”."),
        ("no base64", "The drawing cannot be read. Draw it again, or choose “Type your name”."),
        ("R0lGODlh", "The drawing cannot be read. Draw it again, or choose “Type your name”."),
        ("A" * 400_000, "The drawing cannot be read. Draw it again, or choose “Type your name”."),
    ],
)
def test_what_is_no_drawing_is_refused(drawing, sentence, ask, statuses):
    request, page = ask()
    agree(page, kind="drawn", drawing=drawing)
    assert (page.response.status_int, page.errors(), statuses(request)) == (422, {"drawing": sentence}, ["sent"])


def test_declining_takes_a_reason_and_ends_the_request_for_all(ask, member):
    request, page, other = ask(1, 1)
    assert send(page, "decline", reason=" ").errors() == {"reason": "Give a reason."}
    assert send(page, "decline", reason="x" * 1001).errors() == {"reason": "Use at most 1,000 characters."}
    assert send(page, "decline", reason="Too\r\nexpensive").state == "declined"
    assert member.get(path_of(request)).json["signers"][0]["decline_reason"] == "Too\nexpensive"
    assert other.open("", status=200).state == "declined_other"
    assert page.html.select("form, .contract") == []


def send(page, go, **fields):
    """Send the form of a button by itself."""
    page.response = page.app.post(page.path, urlencode({**fields, "_go": go}), headers=page.headers, status="*")
    return page.open(page.response.headers["Location"]) if page.response.status_int == 303 else page


def test_who_signs_later_waits(ask):
    _, first, second = ask(1, 2)
    assert (second.state, second.html.select("form, .contract, .signers")) == ("waiting", [])
    assert send(second, "sign", signature="x").state == "waiting"
    second.app.get(beside(second, "document"), status=303)
    assert agree(first).state == "signed"


@pytest.mark.parametrize("status", ["cancelled", "expired"])
def test_an_ended_request_says_so_and_shows_no_contract(status, ask, owner):
    request, page = ask()
    end(owner, request, status)
    assert (page.open("", status=410).state, page.html.select("form, .contract")) == (status, [])
    assert send(page, "sign", signature="Pat").state == status
    assert page.open(beside(page, "document"), status=410).state == status


def test_the_signed_copy_is_offered_for_thirty_days(ask, owner):
    request, page = ask()
    agree(page)
    assert page.text(".lead") == ["Everybody has signed. You get the signed contract by email as soon as it is sealed."]
    end(owner, request, "completed")
    copy = page.open("", status=200).html.select_one("a[download]")["href"]
    assert (page.state, page.app.get(copy, status=200).content_type) == ("completed", "application/pdf")


def test_after_thirty_days_the_copy_is_gone(ask, owner):
    request, page = ask()
    agree(page)
    end(owner, request, "completed", days=31)
    assert page.open("", status=200).html.select("a[download]") == []
    assert page.app.get(beside(page, "copy"), status=303)


def test_the_pdf_is_that_of_the_request(ask):
    _, page = ask()
    answer = page.app.get(page.html.select_one("a[download]")["href"], status=200)
    assert (answer.content_type, answer.body[:5]) == ("application/pdf", b"%PDF-")
    assert answer.headers["Cache-Control"] == "no-store"


def test_a_contract_that_was_changed_under_the_request_is_not_signed(ask, owner, contract, statuses):
    request, page = ask()
    owner.execute("set session_replication_role = replica")
    owner.execute("update app.contracts set content = content || '<p>more</p>' where id = %s", [contract["id"]])
    owner.execute("set session_replication_role = origin")
    assert (agree(page).state, statuses(request)) == ("changed", ["sent"])


def test_an_unknown_link_is_always_the_same_page(ask, anonymous, organization):
    _, page = ask()
    unknown = [
        anonymous.app.get(path, status=404)
        for path in ("/sign/" + "0" * 64, "/sign/x", "/sign/document/" + "f" * 64, "/sign/a/b/c")
    ]
    assert len({answer.body for answer in unknown}) == 1
    posted = anonymous.app.post("/sign/" + "0" * 64, "_go=sign", headers=page.headers, status=404)
    assert posted.body == unknown[0].body


def test_the_page_speaks_the_language_of_the_request_unless_asked_otherwise(ask):
    _, page = ask(language="de")
    assert (page.html.html["lang"], page.text(".consent label")) == ("de", [TEXTS["de"]])
    page.open("?lang=ar")
    assert (page.html.html["lang"], page.html.html["dir"]) == ("ar", "rtl")
    assert (page.html.select_one(".consent label")["lang"], page.text(".consent label")) == ("de", [TEXTS["de"]])
    assert agree(page).html.html["lang"] == "ar"


def test_pages_hold_no_foreign_resource_and_give_nothing_away(ask):
    _, page = ask()
    policy = page.response.headers["Content-Security-Policy"]
    assert policy.startswith("default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'")
    assert page.response.headers["Referrer-Policy"] == "no-referrer"
    assert page.response.headers["X-Robots-Tag"] == "noindex, nofollow"
    assert page.response.headers["Cache-Control"] == "no-store"
    assert page.html.select("style, [style], script:not([src]), img[src^=http], link[href^=http]") == []
    assert "signers.example" not in page.response.text


@pytest.mark.parametrize("action", ["", "viewed/"])
def test_a_form_that_another_site_sends_is_refused(action, anonymous):
    headers = {"Sec-Fetch-Site": "cross-site", "Content-Type": "application/x-www-form-urlencoded"}
    anonymous.app.post(f"/sign/{action}{'0' * 64}", "_go=sign", headers=headers, status=403)


def test_no_log_line_holds_the_token(ask, capsys):
    _, page = ask()
    agree(page)
    logged = capsys.readouterr().out
    assert "route=/sign/{token}" in logged
    assert page.path.split("/")[2].partition("?")[0] not in logged
