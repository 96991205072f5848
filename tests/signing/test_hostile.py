import base64
from urllib.parse import urlencode

import pytest

from pipeline.signing.consent import CONSENT
from tests.contracts.support import image_file
from tests.signing.conftest import agree, beside, end, send

ODD = {
    "markup": "<script>alert(1)</script>&amp;",
    "long": "<b>" + "x" * 252,
    "arabic": "محمد العربي",
    "astral": "𝒫𝒶𝓉 😀",
    "burmese": "\u1000\u103b\u103d\u103e\u102d\u102f\u1037",
}
REFUSED = {
    "bidi": "Pat \u202etaP",
    "null": "Pat\x00",
    "lines": "Pat\nProspect",
    "spaces": "\u3000 \t",
    "fillers": "\u3164\u115f\uffa0\u2800\ufe0f",
    "long": "x" * 256,
    "stacked": "A" + "\u0316" * 6,
}
FORM = "application/x-www-form-urlencoded"


@pytest.mark.parametrize("name", ODD.values(), ids=ODD)
def test_a_name_of_any_script_is_shown_as_it_was_typed(ask, name):
    _, page, _ = ask(1, 1)
    send(page, "sign", signature=name, consent=CONSENT)
    assert (page.state, page.html.select_one(".given bdi").text) == ("signed", name)


@pytest.mark.parametrize("name", REFUSED.values(), ids=REFUSED)
def test_a_name_that_is_none_is_refused(ask, statuses, name):
    request, page = ask()
    assert send(page, "sign", signature=name, consent=CONSENT).response.status_int == 422
    assert (page.errors().keys(), statuses(request)) == ({"signature"}, ["sent"])


UNSEEN = "Draw your signature, or choose “Type your name”."
UNREAD = "The drawing cannot be read. Draw it again, or choose “Type your name”."
DRAWINGS = {
    **{colour: (image_file("PNG", mode="RGBA", colour=colour), UNSEEN) for colour in ("#00000000", "white", "#fafafa")},
    "nearly transparent": (image_file("PNG", mode="RGBA", colour="#00000001"), UNSEEN),
    "gif": (b"GIF89a", UNREAD),
    "broken": (b"\x89PNG\r\n\x1a\n" + b"0" * 100, UNREAD),
    "huge": (b"\x00" * (200 * 1024 + 1), UNREAD),
    "wide": (image_file("PNG", (5000, 5000)), UNREAD),
    "no base64": (None, UNREAD),
}


@pytest.mark.parametrize("name", DRAWINGS)
def test_a_drawing_that_nobody_sees_or_that_is_no_small_png_is_refused(ask, statuses, name):
    request, page = ask()
    drawing, sentence = DRAWINGS[name]
    agree(page, kind="drawn", drawing=base64.b64encode(drawing).decode() if drawing else name)
    assert (page.response.status_int, page.errors(), statuses(request)) == (422, {"drawing": sentence}, ["sent"])


def test_a_drawing_of_another_field_is_not_kept(ask, owner):
    request, page = ask()
    agree(page, kind="typed", drawing=image_file("PNG").hex())
    row = "select signature_kind, drawing from app.signature_signers where request_id = %s"
    assert owner.execute(row, [request["id"]]).fetchone() == ("typed", None)


@pytest.mark.parametrize("consent", ["", "on", "2020-01", CONSENT + " "])
def test_another_consent_signs_nothing(ask, statuses, consent):
    request, page = ask()
    assert send(page, "sign", signature="Pat", consent=consent).errors().keys() == {"consent"}
    assert statuses(request) == ["sent"]


def test_whatever_is_sent_after_a_signature_changes_nothing(ask, evidence):
    request, page, _ = ask(1, 1)
    pairs = page.fill(signature="Pat", consent=[CONSENT]).form_pairs("sign")
    agree(page)
    before = evidence(request)
    assert [event["event"] for event in before["events"]] == ["sent", "sent", "signed"]
    page.app.post(page.path, urlencode(pairs), headers=page.headers, status=303)
    send(page, "sign", signature="Other", consent=CONSENT)
    send(page, "decline", reason="No")
    send(page, "check", code="123456")
    page.app.post(beside(page, "viewed"), headers=page.headers, status=204)
    assert evidence(request) == before


@pytest.mark.parametrize(
    ("status", "state", "code"),
    [("cancelled", "cancelled", 410), ("overdue", "expired", 410), ("declined", "declined_other", 200)],
)
def test_after_the_end_the_page_says_so_and_an_open_tab_can_do_nothing(ask, statuses, owner, status, state, code):
    request, page = ask()
    pairs = page.fill(signature="Pat", consent=[CONSENT]).form_pairs("sign")
    if status == "overdue":
        owner.execute("update app.signature_requests set expires_at = now() where id = %s", [request["id"]])
    else:
        end(owner, request, status)
    for _ in range(2):
        page.app.post(page.path, urlencode(pairs), headers=page.headers, status=303)
    page.app.post(beside(page, "viewed"), headers=page.headers, status=204)
    assert send(page, "decline", reason="No").state == state
    for address in ("", beside(page, "document")):
        assert (page.open(address, code).state, page.html.select("form, .contract")) == (state, [])
    assert statuses(request) == ["sent"]


def test_a_clock_that_went_back_keeps_a_signature(ask, statuses, owner):
    request, page, _ = ask(1, 1)
    viewed = "update app.signature_signers set status = 'viewed', viewed_at = now() + interval '1 day' where id = %s"
    owner.execute(viewed, [request["signers"][0]["id"]])
    assert agree(page).state == "signed"
    assert statuses(request)[0] == "signed"


@pytest.mark.parametrize(
    ("body", "kind", "status"),
    [
        ("{}", "application/json", 415),
        ("_go=sign&signature=%FF", FORM, 400),
        ("_go=sign&signature=%00", FORM, 422),
        ("_go=" + "x" * 70, FORM, 400),
        ("&".join("a=1" for _ in range(5000)), FORM, 400),
        ("_go=sign&signature=" + "x" * 3_000_000, FORM, 413),
    ],
    ids=["json", "no text", "null", "no button", "fields", "length"],
)
def test_a_broken_form_gets_a_page(ask, statuses, body, kind, status):
    request, page = ask()
    answer = page.app.post(page.path, body, headers={**page.headers, "Content-Type": kind}, status=status)
    assert (answer.html.body.has_attr("data-state"), statuses(request)) == (True, ["sent"])
