"""The organization of a seal is the one that it was when the request was created."""

from datetime import datetime
from zoneinfo import ZoneInfo

import pytest
from babel import Locale

from pipeline.signing.sealing.moments import moment, zone
from tests.documents.support import letters, pdf_text
from tests.signing.envelopes import LAYOUT, content, envelope, seal, signature, verified

BEFORE = {"name": "Acme Licensing", "legal_name": "Acme Licensing GmbH", "time_zone": "Asia/Kolkata"}
AFTER = {"name": "Other Bank", "legal_name": "Other Bank plc", "time_zone": "Asia/Tokyo"}


@pytest.fixture
def rename(admin):
    """rename(**values): changes the organization until the end of the test."""
    former = admin.get("/api/organization", status=200).json
    yield lambda **values: admin.patch("/api/organization", values, status=200)
    admin.patch("/api/organization", {name: former[name] for name in (*BEFORE, "slug")}, status=200)


@pytest.fixture
def renamed(rename, requested, signing):
    """A request and its signer's token; the organization changed its names and its time zone since."""
    rename(**BEFORE, slug="acme-frozen")
    request = requested(1)
    rename(**AFTER, slug="other-bank")
    return request, signing.link(request["signers"][0])


def test_the_seal_names_the_organization_as_it_was_when_signing_began(member, deliver, signing, renamed):
    request, token = renamed
    signing.sign(token)
    deliver()
    copy = member.get(f"/api/contracts/{request['contract_id']}/executed", status=200).body
    text, found = letters(pdf_text(copy)), verified(copy)
    assert (found.organization_name, found.organization_slug) == ("Acme Licensing", "acme-frozen")
    assert [words in text for words in ("AcmeLicensingGmbH", "acme-frozen", "IST(UTC+5:30)")] == [True] * 3
    assert [words in text for words in ("OtherBank", "other-bank", "(UTC+9)")] == [False] * 3


def test_the_signers_page_and_emails_show_the_organization_of_the_request(renamed, signing, deliver):
    (message,) = deliver()
    assert "Acme Licensing" in message["From"]
    page = signing("open_signing", renamed[1])
    assert (page["organization_name"], page["time_zone"]) == ("Acme Licensing", "Asia/Kolkata")


def test_a_request_of_an_earlier_release_takes_the_present_organization(owner, rename, requested, signing):
    request = requested(1)
    owner.execute(
        "update app.signature_requests set organization_name = null, organization_slug = null, legal_name = null,"
        " time_zone = null where id = %s",
        [request["id"]],
    )
    rename(**AFTER)
    page = signing("open_signing", signing.link(request["signers"][0]))
    assert (page["organization_name"], page["time_zone"]) == ("Other Bank", "Asia/Tokyo")


def test_the_certificate_page_shows_name_slug_and_legal_name():
    text = letters(pdf_text(seal(envelope(), content(), LAYOUT)))
    assert letters("Organization Acme Licensing Unique name acme-licensing Legal name Acme Licensing Inc.") in text
    assert "Legalname" not in letters(pdf_text(seal(envelope(legal_name=None), content(), LAYOUT)))


@pytest.mark.parametrize(
    ("name", "shown"),
    [
        ("Europe/Berlin", "CET (UTC+1)"),
        ("UTC", "UTC"),
        ("Asia/Kolkata", "IST (UTC+5:30)"),
        ("America/St_Johns", "NST (UTC-3:30)"),
        ("America/Sao_Paulo", "UTC-3"),
        ("Europe/London", "GMT (UTC)"),
    ],
)
def test_a_zone_is_shown_with_its_distance_from_utc(name, shown):
    assert zone(datetime(2026, 1, 31, 9, 30, tzinfo=ZoneInfo(name))) == shown


@pytest.mark.parametrize(
    ("locale", "shown"),
    [
        ("en_GB", "31 January 2026, 09:30 CET (UTC+1)"),
        ("de", "31. Januar 2026, 09:30 CET (UTC+1)"),
        ("ar", "31 يناير 2026، 9:30 ص CET (UTC+1)"),
    ],
)
def test_a_signature_time_is_shown_in_the_language_with_its_zone(locale, shown):
    at = datetime(2026, 1, 31, 9, 30, tzinfo=ZoneInfo("Europe/Berlin"))
    assert moment(at, "long", "short", Locale.parse(locale)) == shown


def test_a_long_name_with_its_time_and_zone_fits_into_the_paper():
    names = [signature("Wolfgang Amadeus Theophilus Gottlieb"), signature("John Doe", "licensor")]
    text = letters(pdf_text(seal(envelope(*names, time_zone="America/St_Johns"), content(), LAYOUT)))
    assert letters("Gottlieb, Mar 5, 2026, 9:34 AM NST (UTC-3:30)") in text
