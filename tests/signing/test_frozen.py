"""The organization of a seal is the one that it was when the request was created."""

import re
from datetime import datetime
from zoneinfo import ZoneInfo

import pytest
from babel import Locale

from pipeline.signing.sealing.moments import moment, zone
from tests.contracts.support import image_file, upload
from tests.documents.support import letters, pdf_text
from tests.forms.paper import Paper
from tests.signing.conftest import path_of, tokens
from tests.signing.envelopes import LAYOUT, content, envelope, seal, signature, verified

BEFORE = {"name": "Acme Licensing", "legal_name": "Acme GmbH", "time_zone": "Asia/Kolkata", "country": "DE"}
AFTER = {"name": "Other Bank", "legal_name": "Other Bank plc", "time_zone": "Asia/Tokyo", "country": "US"}
# With AFTER, all settings of an organization.
OTHERS = {
    "slug": "other-bank",
    "registration_number": "HRB 77",
    "vat_id": "DE77",
    "email": "other@bank.example",
    "phone": "+49 30 777",
    "website": "https://bank.example",
    "street": "Other Street",
    "city": "Other City",
    "region": "Other Region",
    "postal_code": "O7",
    "currency": "JPY",
    "locale": "ar-EG",
    "branding": {"primary_color": "#123456"},
}


@pytest.fixture
def rename(admin):
    """rename(**values): changes the organization until the end of the test."""
    former = admin.get("/api/organization", status=200).json
    yield lambda **values: admin.patch("/api/organization", values, status=200)
    admin.patch("/api/organization", {name: former[name] for name in (*AFTER, *OTHERS)}, status=200)


@pytest.fixture
def renamed(rename, requested, signing):
    """A request and its signer's token; the organization changed its names, time zone and country since."""
    rename(**BEFORE, slug="acme-frozen")
    request = requested(1)
    rename(**AFTER, slug="other-bank")
    return request, signing.link(request["signers"][0])


@pytest.fixture
def told(member, anonymous, made, requested, signing, deliver):
    """told(meanwhile): what the page, emails and the seal say to the second signer, if `meanwhile` follows the first.

    The texts have no white space, and one digit in place of each number, digest and token.
    """

    def tell(meanwhile):
        path = f"/api/contracts/{made('<p>Terms</p>{{Contract.signature_block}}')['id']}"
        request = requested(1, 1, path=f"{path}/signature-requests", complete_without=["licensor"])
        first, second = tokens(deliver()).values()
        signing.sign(first)
        meanwhile()
        page = Paper(anonymous.app, f"/sign/{second}").html.main.get_text()
        member.post(path_of(request, "/remind"), status=200)
        messages = deliver()
        signing.sign(second)
        messages += [message for message in deliver() if "@signers.example" in message["To"]]
        emails = [f"{one['From']} {one['Subject']} {one.get_body(['plain']).get_content()}" for one in messages]
        seal = pdf_text(member.get(f"{path}/executed", status=200).body)
        return [re.sub("[0-9a-f]{64}|[0-9]+", "0", letters(text)) for text in (page, *emails, seal)]

    return tell


def test_no_setting_of_the_organization_changes_what_an_open_request_says(admin, rename, told):
    def change():
        record = rename(**AFTER, **OTHERS).json
        assert record.keys() - {*AFTER, *OTHERS} == {"id", "logo", "created_at", "updated_at"}
        upload(admin, "/api/organization/logo", image_file("PNG"), "logo.png", "logo", status=201)

    rename(**BEFORE)
    unchanged = told(lambda: None)
    assert len(unchanged) == 5
    assert told(change) == unchanged


def test_the_seal_names_the_organization_as_it_was_when_signing_began(member, deliver, signing, renamed):
    request, token = renamed
    signing.sign(token)
    deliver()
    copy = member.get(f"/api/contracts/{request['contract_id']}/executed", status=200).body
    text, found = letters(pdf_text(copy)), verified(copy)
    assert (found.organization_name, found.organization_slug) == ("Acme Licensing", "acme-frozen")
    assert [words in text for words in ("AcmeGmbH", "acme-frozen", "IST(UTC+5:30)")] == [True] * 3
    assert [words in text for words in ("OtherBank", "other-bank", "(UTC+9)")] == [False] * 3


def test_the_signers_page_and_emails_show_the_organization_of_the_request(renamed, signing, deliver):
    (message,) = deliver()
    assert "Acme Licensing" in message["From"]
    page = signing("open_signing", renamed[1])
    assert [page[name] for name in ("organization_name", "time_zone", "region")] == [
        "Acme Licensing",
        "Asia/Kolkata",
        "DE",
    ]


def test_a_country_that_is_added_while_signers_sign_changes_no_date(rename, requested, signing):
    rename(country=None, locale="en")
    request = requested(1)
    rename(country="DE")
    assert signing("open_signing", signing.link(request["signers"][0]))["region"] == ""


def test_a_request_of_an_earlier_release_takes_the_present_organization(owner, rename, requested, signing):
    request = requested(1)
    owner.execute(
        "update app.signature_requests set organization_name = null, organization_slug = null, legal_name = null,"
        " time_zone = null, region = null where id = %s",
        [request["id"]],
    )
    rename(**AFTER)
    page = signing("open_signing", signing.link(request["signers"][0]))
    assert [page[name] for name in ("organization_name", "time_zone", "region")] == ["Other Bank", "Asia/Tokyo", "US"]


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
