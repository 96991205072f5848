import base64
import io
import random
from concurrent.futures import ThreadPoolExecutor
from urllib.parse import urlencode

import pytest
from PIL import Image

from pipeline.http.fairness.lines import DRAWING
from pipeline.signing.consent import CONSENT
from tests.contracts.support import image_file
from tests.signing.conftest import agree, beside, end, send
from tests.waiting import wait_until

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
    send(page, "sign", signature=name, confirmed=name, consent=CONSENT)
    assert (page.state, page.html.select_one(".given bdi").text) == ("signed", name)


@pytest.mark.parametrize("name", REFUSED.values(), ids=REFUSED)
def test_a_name_that_is_none_is_refused(ask, statuses, name):
    request, page = ask()
    assert send(page, "sign", signature=name, consent=CONSENT).response.status_int == 422
    assert (page.errors().keys(), statuses(request)) == ({"signature"}, ["sent"])


def test_a_typed_name_loses_what_nobody_sees(ask):
    _, page, _ = ask(1, 1)
    name = "S\u200big\u2060ner\u200d 0\U000e0061"
    send(page, "sign", signature=name, consent=CONSENT)
    assert (page.state, page.html.select_one(".given bdi").text) == ("signed", "Signer 0")


def noise(width, height):
    """A PNG whose random dots cost the smallest encoding ten times as long as another one."""
    image, file = Image.frombytes("1", (width, height), random.Random(1).randbytes(width * height // 8)), io.BytesIO()
    image.save(file, "PNG", compress_level=1)
    return file.getvalue()


def stroke(*box):
    """A canvas as the page sends it, as PNG, with ink in a box."""
    canvas, file = Image.new("RGBA", (1200, 400)), io.BytesIO()
    canvas.paste("black", box)
    canvas.save(file, "PNG")
    return file.getvalue()


UNSEEN = "Draw your signature, or choose “Type your name”."
UNREAD = "The drawing cannot be read. Draw it again, or choose “Type your name”."
DRAWINGS = {
    **{colour: (image_file("PNG", mode="RGBA", colour=colour), UNSEEN) for colour in ("#00000000", "white", "#fafafa")},
    "nearly transparent": (image_file("PNG", mode="RGBA", colour="#00000001"), UNSEEN),
    "of a dot": (stroke(400, 200, 406, 206), UNSEEN),
    "of four pixels": (image_file("PNG", (2, 2)), UNSEEN),
    "gif": (b"GIF89a", UNREAD),
    "broken": (b"\x89PNG\r\n\x1a\n" + b"0" * 100, UNREAD),
    "huge": (b"\x00" * (200 * 1024 + 1), UNREAD),
    "wide": (image_file("PNG", (2001, 1)), UNREAD),
    "high": (image_file("PNG", (1, 1001)), UNREAD),
    "of 16 bits": (image_file("PNG", (4000, 4000), "I;16", 65535), UNREAD),
    "of noise": (noise(2000, 800), UNREAD),
    "with a head alone": (image_file("PNG")[:40], UNREAD),
    "no base64": (None, UNREAD),
}


def test_a_drawing_is_cropped_to_its_ink(ask):
    _request, page = ask()
    agree(page, kind="drawn", drawing=base64.b64encode(stroke(500, 100, 800, 220)).decode())
    kept = page.app.get(beside(page, "drawing"), status=200).body
    assert Image.open(io.BytesIO(kept)).size == (300, 120)


@pytest.mark.parametrize("name", DRAWINGS)
def test_a_drawing_that_nobody_sees_or_that_is_no_small_png_is_refused(ask, statuses, name):
    request, page = ask()
    drawing, sentence = DRAWINGS[name]
    agree(page, kind="drawn", drawing=base64.b64encode(drawing).decode() if drawing else name)
    assert (page.response.status_int, page.errors(), statuses(request)) == (422, {"drawing": sentence}, ["sent"])


def test_a_drawing_is_read_in_its_turn_before_anything_is_locked(ask, wsgi, organization, statuses):
    request, first, second = ask(1, 1)
    drawing = base64.b64encode(image_file("PNG", (300, 100), "RGBA", "black")).decode()
    with ThreadPoolExecutor(1) as thread, wsgi.registry.lines.turn(DRAWING, organization.id):
        drawn = thread.submit(agree, first, kind="drawn", drawing=drawing)
        wait_until(lambda: len(wsgi.registry.lines.taken) == 2)
        assert agree(second).state == "signed"
        assert statuses(request) == ["sent", "signed"]
    assert drawn.result().state == "signed"


def test_a_drawing_of_another_field_is_not_kept(ask, owner):
    request, page = ask()
    agree(page, kind="typed", drawing=image_file("PNG").hex())
    row = "select signature_kind, drawing from app.signature_signers where request_id = %s"
    assert owner.execute(row, [request["id"]]).fetchone() == ("typed", None)


@pytest.mark.parametrize("consent", ["", "on", "2020-01", CONSENT + " "])
def test_another_consent_signs_nothing(ask, statuses, consent):
    request, page = ask()
    assert send(page, "sign", signature="Signer 0", consent=consent).errors().keys() == {"consent"}
    assert statuses(request) == ["sent"]


def test_whatever_is_sent_after_a_signature_changes_nothing(ask, evidence):
    request, page, _ = ask(1, 1)
    pairs = page.fill(signature="Pat", consent=[CONSENT]).form_pairs("sign")
    agree(page)
    before = evidence(request)
    assert [event["event"] for event in before["events"]] == ["signed"]
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
