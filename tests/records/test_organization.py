"""The organization's settings, look and legal details."""

import uuid

import pytest

from tests.contracts.support import image_file, upload
from tests.http.target import assert_problem
from tests.support import codes

PATH = "/api/organization"


@pytest.fixture
def body(organization):
    return {"name": "Acme", "slug": organization.name}


def test_everybody_reads_it_and_an_admin_changes_it(member, admin, organization, body):
    assert member.get(PATH, status=200).json["id"] == organization.id
    assert_problem(member.put(PATH, body), 403, "forbidden")
    details = {
        "legal_name": "Acme Licensing GmbH",
        "registration_number": "HRB 1",
        "vat_id": "DE1",
        "email": "contracts@acme.example",
        "phone": "+49 89 1",
        "website": "https://acme.example",
        "street": "Weg 1",
        "city": "München",
        "region": "BY",
        "postal_code": "80539",
        "country": "DE",
    }
    changed = admin.put(PATH, {**body, **details}, status=200).json
    assert {name: changed[name] for name in details} == details
    assert member.get(PATH).json == changed


def test_an_update_replaces_every_field(admin, body):
    admin.put(PATH, {**body, "time_zone": "Europe/Berlin", "currency": "EUR", "locale": "de-CH", "city": "Bonn"})
    replaced = admin.put(PATH, body, status=200).json
    settings = ("time_zone", "currency", "locale", "city", "branding")
    assert [replaced[name] for name in settings] == ["UTC", "USD", "en", None, {}]


def test_the_callers_account_shows_the_new_settings(admin, body):
    admin.put(PATH, {**body, "time_zone": "Asia/Kolkata", "currency": "INR"}, status=200)
    shown = admin.get("/api/auth/me", status=200).json["organization"]
    assert (shown["name"], shown["time_zone"], shown["currency"]) == ("Acme", "Asia/Kolkata", "INR")


@pytest.mark.parametrize(
    ("field", "value", "code"),
    [
        ("time_zone", "Mars/Olympus", "unknown_time_zone"),
        ("time_zone", "europe/berlin", "unknown_time_zone"),
        ("time_zone", "../etc/passwd", "unknown_time_zone"),
        ("time_zone", "Factory", "unknown_time_zone"),
        ("locale", "xx-YY", "unknown_locale"),
        ("locale", "!", "unknown_locale"),
        ("currency", "eur", "unknown_currency"),
        ("currency", "XXX", "unknown_currency"),
        ("slug", "Not a slug", "invalid_format"),
        ("name", None, "required"),
        ("email", "nobody", "invalid_email"),
        ("branding", [], "wrong_type"),
        ("website", "javascript:alert(1)", "invalid_url"),
    ],
)
def test_a_setting_that_cannot_be_used_is_named(field, value, code, admin, body):
    refused = admin.put(PATH, {**body, field: value}, status=422)
    assert [found for _, found in codes(refused)] == [code]
    assert codes(refused)[0][0].startswith(field)


def test_the_look_is_kept_without_what_is_absent(admin, body):
    look = {"primary_color": "#0b5fff", "text_color": "", "logo_url": "https://acme.example/logo.png"}
    changed = admin.put(PATH, {**body, "branding": look}, status=200).json
    assert changed["branding"] == {"primary_color": "#0b5fff", "logo_url": "https://acme.example/logo.png"}


@pytest.mark.parametrize(
    ("branding", "name", "code"),
    [
        ({"text_color": "#cccccc"}, "branding.text_color", "low_contrast"),
        ({"background_color": "#333333"}, "branding.background_color", "low_contrast"),
        ({"text_color": "red"}, "branding.text_color", "invalid_format"),
        ({"logo_url": "http://acme.example/logo.png"}, "branding.logo_url", "invalid_url"),
        ({"logo_url": "javascript:alert(1)"}, "branding.logo_url", "invalid_url"),
        ({"font": "Comic Sans"}, "branding.font", "unknown_field"),
    ],
)
def test_a_look_that_cannot_be_read_is_refused(branding, name, code, admin, body):
    assert codes(admin.put(PATH, {**body, "branding": branding}, status=422)) == [(name, code)]


def test_a_slug_is_taken_once_among_all_organizations(admin, body, new_organization):
    assert_problem(admin.put(PATH, {**body, "slug": new_organization().name}), 409, "slug_taken")
    slug = f"free-{uuid.uuid4().hex[:12]}"
    assert admin.put(PATH, {**body, "slug": slug}, status=200).json["slug"] == slug


def test_only_the_own_organization_changes(admin, body, new_organization):
    other = new_organization()
    before = other.member.get(PATH).json
    admin.put(PATH, {**body, "name": "Changed"}, status=200)
    assert other.member.get(PATH).json == before


def test_the_logo_is_shown_on_the_organizations_forms_until_it_is_taken_away(organization, admin, anonymous):
    made = upload(admin, f"{PATH}/logo", image_file("PNG"), "our logo.png", "logo", status=201).json
    assert made["logo"]["content_type"] == "image/png"
    form = f"/forms/interview/{organization.invite()['token']}?step=needs"
    shown = f"/forms/logo/{made['logo']['sha256']}"
    assert shown in anonymous.get(form, status=200).text
    assert anonymous.get(shown, status=200).content_type == "image/png"
    public = anonymous.get(form.replace("/forms/", "/api/public/").partition("?")[0], status=200).json
    assert public["organization"]["logo_url"].endswith(shown)
    admin.delete(f"{PATH}/logo", status=204)
    assert "/forms/logo/" not in anonymous.get(form, status=200).text
    assert admin.get(PATH).json["logo"] is None
    admin.delete(f"{PATH}/logo", status=404)


def test_a_logo_that_was_replaced_or_taken_away_is_not_kept(organization, owner, admin):
    def stored():
        kept = (
            "select sha256 from app.files f join app.file_chunks c"
            " on c.organization_id = f.organization_id and c.file_id = f.id where f.organization_id = %s"
        )
        return owner.execute(kept, (organization.id,)).fetchall()

    upload(admin, f"{PATH}/logo", image_file("PNG"), "first.png", "logo", status=201)
    second = upload(admin, f"{PATH}/logo", image_file("JPEG"), "second.jpg", "logo", status=201).json
    assert stored() == [(second["logo"]["sha256"],)]
    admin.delete(f"{PATH}/logo", status=204)
    assert stored() == []


def test_only_an_admin_uploads_a_logo_and_only_an_image(admin, member):
    assert upload(member, f"{PATH}/logo", image_file("PNG"), "a.png", "logo").status_int == 403
    refused = upload(admin, f"{PATH}/logo", b"<svg/>", "a.png", "logo")
    assert_problem(refused, 422, "unsupported_file")
