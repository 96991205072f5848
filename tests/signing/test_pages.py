import base64
import datetime
import hashlib

import pytest

from pipeline.signing.consent import TEXTS
from tests.contracts.support import image_file
from tests.signing.conftest import agree, beside, end, path_of, send


def test_the_page_shows_the_contract_its_pdf_who_asks_and_who_signs(ask, contract, organization):
    request, page, _ = ask(1, 2, message="Hello\n<b>Pat</b>")
    assert (page.state, page.text("h1")) == ("open", [contract["name"]])
    assert page.text(".organization") == [organization.name]
    assert page.text(".contract .h1") == [contract["contract_number"]]
    assert page.html.select_one(".message p:last-child").text == "Hello\n<b>Pat</b>"
    assert page.text(".signers .muted") == ["Asked to sign", "Not asked yet"]
    pdf = page.app.get(page.html.select_one("a[download]")["href"], status=200)
    assert hashlib.sha256(pdf.body).hexdigest() == request["document_sha256"]
    assert (pdf.content_type, pdf.headers["Cache-Control"]) == ("application/pdf", "no-store")


def test_dates_are_written_as_in_the_contract_by_the_country(ask, owner, organization, deliver):
    owner.execute("update app.organizations set country = 'GB', locale = 'en' where id = %s", [organization.id])
    request, page = ask()
    expires = datetime.date.fromisoformat(request["expires_at"][:10])
    day = f"{expires.day} {expires:%B %Y}"
    assert page.text(".facts dd")[1].startswith(f"{day}, ")
    assert day in " ".join(deliver()[0].get_body(["plain"]).get_content().split())


def test_moments_are_told_with_the_time_zone(ask, owner, organization):
    owner.execute("update app.organizations set time_zone = 'America/New_York' where id = %s", [organization.id])
    _, page, _ = ask(1, 1)
    assert page.text(".facts dd")[1].endswith("(America/New York)")
    assert agree(page).text(".answers dd")[1].endswith("(America/New York)")


def test_a_get_changes_nothing_and_the_script_tells_of_the_first_view(ask, statuses, member):
    request, page = ask()
    for method in ("GET", "HEAD", "GET"):
        page.app.request(page.path, method=method, status=200)
    assert statuses(request) == ["sent"]
    viewed = page.html.select_one("[data-viewed]")["data-viewed"]
    page.app.post(viewed, headers=page.headers, status=204)
    first = member.get(path_of(request)).json["signers"]
    page.app.post(viewed, headers=page.headers, status=204)
    assert first[0]["status"] == "viewed"
    assert member.get(path_of(request)).json["signers"] == first


def test_a_missing_value_is_named_above_and_beside_its_field(ask, statuses):
    request, page = ask()
    page.fill(signature=" ").press("sign", status=422)
    assert page.errors() == {"signature": "Type your full name.", "consent": "Tick the box to agree."}
    assert [link["href"] for link in page.html.select("#errors a")] == ["#f-signature", "#f-consent"]
    assert (page.html.title.text[:6], statuses(request)) == ("Error:", ["sent"])


def test_a_consent_to_an_earlier_text_is_told_and_asked_for_anew(ask, statuses):
    request, page = ask()
    send(page, "sign", signature="Signer 0", consent="2020-01")
    assert page.errors()["consent"].startswith("This text has changed since you opened the page.")
    assert not page.html.select_one("[name=consent]").has_attr("checked")
    assert statuses(request) == ["sent"]
    assert agree(page).state == "signed"


def test_another_name_is_asked_for_once_more_by_both_names(ask, evidence):
    request, page = ask()
    agree(page, signature="Bob")
    assert page.response.status_int == 422
    assert [name for name in ("Bob", "Signer 0") if name not in page.errors()["signature"]] == []
    assert agree(page, signature="Eve").errors().keys() == {"signature"}
    assert agree(page, signature="Eve").state == "signed"
    found = evidence(request)
    assert [event["event"] for event in found["events"]] == ["name_confirmed", "signed"]
    assert found["signers"][0]["signature_text"] == "Eve"


@pytest.mark.parametrize(
    ("signer", "typed", "same"),
    [
        ("Zoe Müller", "MÜLLER, zoe", True),
        ("Zoe Müller", "Zoe Mueller", True),
        ("John Quincy Public", "John Q. Public", True),
        ("John Q. Public", "John Public", True),
        ("李 小龙", "小龙 李", True),
        ("Anne-Marie Roy", "Annemarie Roy", True),
        ("Иван Петрович Сидоров", "Иван П. Сидоров", True),
        ("Zoe Müller", "Zoe", False),
        ("John Public", "John Quincy Public", False),
        ("John Public", "J P", False),
        ("Bob Grant", "x", False),
        ("李 小龙", "李 小", False),
    ],
)
def test_a_name_is_the_signers_apart_from_case_accents_order_and_initials(owner, signer, typed, same):
    assert owner.execute("select app.names_same(%s, %s)", [signer, typed]).fetchone() == (same,)


def test_a_drawing_signs_by_the_name_of_the_signer_and_is_kept_without_anything_but_pixels(ask, evidence):
    request, page = ask()
    agree(page, kind="drawn", drawing=base64.b64encode(image_file("PNG") + b"<script>").decode())
    assert page.state == "signed"
    (signer,) = evidence(request)["signers"]
    assert (signer["signature_kind"], signer["signature_text"]) == ("drawn", "Signer 0")
    image = page.app.get(page.html.select_one(".given img")["src"], status=200)
    assert image.body.startswith(b"\x89PNG")
    assert b"script" not in image.body


def test_declining_takes_a_reason_and_ends_the_request_for_all(ask, member):
    request, page, other = ask(1, 1)
    assert send(page, "decline", reason="No\x00").response.status_int == 422
    assert send(page, "decline", reason=" ").errors() == {"reason": "Give a reason."}
    assert send(page, "decline", reason="x" * 1001).errors() == {"reason": "Use at most 1,000 characters."}
    assert send(page, "decline", reason="Too\r\nexpensive").state == "declined"
    record = member.get(path_of(request)).json
    assert (record["status"], record["signers"][0]["decline_reason"]) == ("declined", "Too\nexpensive")
    assert other.open("", status=200).state == "declined_other"
    assert page.html.select("form, .contract") == []


def test_a_later_signer_waits(ask):
    _, first, second = ask(1, 2)
    assert (second.state, second.html.select("form, .contract, .signers")) == ("waiting", [])
    assert send(second, "sign", signature="x").state == "waiting"
    assert send(second, "decline", reason="No").state == "waiting"
    second.app.get(beside(second, "document"), status=303)
    assert agree(first).state == "signed"


def test_the_signed_copy_is_offered_for_thirty_days(ask, owner):
    request, page = ask()
    agree(page)
    assert page.text(".lead")[0].endswith("an email with a link to the signed contract as soon as it is sealed.")
    end(owner, request, "completed")
    copy = page.open("", status=200).html.select_one("a[download]")["href"]
    first = page.app.get(copy, status=200)
    assert (page.state, first.content_type) == ("completed", "application/pdf")
    page.app.get(copy, headers={"If-None-Match": first.headers["ETag"]}, status=304)
    end(owner, request, "completed", days=31)
    assert page.open("", status=200).html.select("a[download]") == []
    page.app.get(copy, status=303)


def test_the_page_without_its_copy_says_whom_to_ask_for_one(ask, owner, organization):
    request, page = ask()
    agree(page)
    end(owner, request, "completed", days=31)
    (lead,) = page.open("", status=200).text(".lead")
    assert lead.endswith(f"no longer be downloaded here. Ask \u2068{organization.name}\u2069 for a copy.")


@pytest.mark.parametrize(("status", "days", "code"), [("cancelled", 0, 410), ("completed", 31, 200)])
def test_after_its_days_a_link_tells_nothing_of_the_contract(ask, member, owner, contract, status, days, code):
    request, page, _ = ask(1, 1)
    agree(page, kind="drawn", drawing=base64.b64encode(image_file("PNG")).decode())
    drawing = page.app.get(page.html.select_one(".given img")["src"], status=200).request.path
    end(owner, request, status, days)
    member.patch(f"/api/contracts/{contract['id']}", {"name": "Merger"}, status=200)
    text = page.open("", status=code).response.text
    assert [word for word in ("Merger", contract["contract_number"], "Signer 1") if word in text] == []
    page.app.get(drawing, status=303)


def test_an_unknown_link_is_always_the_same_page(ask):
    _, page = ask()
    paths = ("/sign/" + "0" * 64, "/sign/" + "f" * 63, "/sign/x", "/sign/document/" + "f" * 64, "/sign/a/b/c")
    unknown = [page.app.get(path, status=404) for path in paths]
    unknown.append(page.app.post("/sign/" + "0" * 64, "_go=sign", headers=page.headers, status=404))
    assert len({answer.body for answer in unknown}) == 1


def test_the_page_speaks_the_language_of_the_request_unless_asked_otherwise(ask):
    _, page = ask(language="de")
    assert (page.html.html["lang"], page.text(".consent label")) == ("de", [TEXTS["de"]])
    page.open("?lang=ar")
    assert (page.html.html["lang"], page.html.html["dir"]) == ("ar", "rtl")
    assert (page.html.select_one(".consent label")["lang"], page.text(".consent label")) == ("de", [TEXTS["de"]])
    assert agree(page).html.html["lang"] == "ar"


def test_pages_hold_no_foreign_resource_and_give_nothing_away(ask):
    _, page = ask()
    headers = page.response.headers
    policy = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'"
    assert headers["Content-Security-Policy"].startswith(policy)
    assert (headers["Referrer-Policy"], headers["Cache-Control"]) == ("no-referrer", "no-store")
    assert headers["X-Robots-Tag"] == "noindex, nofollow"
    assert page.html.select("style, [style], script:not([src]), img[src^=http], link[href^=http]") == []
    assert "signers.example" not in page.response.text


@pytest.mark.parametrize("path", [f"/sign/{'0' * 64}", f"/sign/viewed/{'0' * 64}", "/verify"])
def test_a_form_that_another_site_sends_is_refused(path, anonymous):
    headers = {"Sec-Fetch-Site": "cross-site", "Content-Type": "application/x-www-form-urlencoded"}
    anonymous.app.post(path, "_go=sign", headers=headers, status=403)


def test_the_page_shows_the_headers_and_footers_of_the_contract(admin, new_template, new_contract, ask):
    texts = {
        "header_left": "Head of {{Contract.number}}",
        "footer_center": "No liability",
        "footer_right": "{{page}}/{{pages}}",
    }
    contract = new_contract(template_id=new_template(name="With margins", **texts)["id"])
    _request, page = ask(path=f"/api/contracts/{contract['id']}/signature-requests")
    shown = [" ".join(found.get_text(" ").split()) for found in page.html.select(".margin")]
    assert shown == [
        f"Top of each page: Head of {contract['contract_number']}",
        "Bottom of each page: No liability · …/…",
    ]
