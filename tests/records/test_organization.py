import uuid

import pytest

from tests.contracts.support import image_file, upload
from tests.http.target import assert_problem
from tests.records.test_customers import DETAILS
from tests.support import both_held_up, codes

PATH = "/api/organization"


@pytest.fixture
def body(organization):
    return {"name": "Acme", "slug": organization.name}


def test_everybody_reads_it_and_an_admin_replaces_every_field(member, admin, organization, body):
    assert member.get(PATH, status=200).json["id"] == organization.id
    settings = {"time_zone": "Europe/Berlin", "currency": "EUR", "locale": "de-CH"}
    changed = admin.put(PATH, {**body, **DETAILS, **settings}, status=200).json
    assert changed.items() >= {**DETAILS, **settings}.items()
    assert member.get(PATH).json == changed
    shown = {name: changed[name] for name in ("name", "time_zone", "currency")}
    assert admin.get("/api/auth/me", status=200).json["organization"].items() >= shown.items()
    replaced = admin.put(PATH, body, status=200).json
    assert [replaced[name] for name in (*settings, "city", "branding")] == ["UTC", "USD", "en", None, {}]


@pytest.mark.parametrize("email", ["office@münchen.example", "office@xn--mnchen-3ya.example"])
def test_its_address_is_shown_with_its_domain_in_unicode(admin, body, email):
    changed = admin.put(PATH, {**body, "email": email}, status=200).json
    assert changed["email"] == "office@münchen.example"
    assert admin.put(PATH, changed, status=200).json == changed


@pytest.mark.parametrize(
    ("field", "value", "code"),
    [
        ("time_zone", "europe/berlin", "unknown_time_zone"),
        ("time_zone", "../etc/passwd", "unknown_time_zone"),
        ("time_zone", "Factory", "unknown_time_zone"),
        ("locale", "xx-YY", "unknown_locale"),
        ("currency", "XXX", "unknown_currency"),
        ("branding.text_color", "#cccccc", "low_contrast"),
        ("branding.background_color", "#333333", "low_contrast"),
        ("branding.text_color", "red", "invalid_format"),
        ("branding.logo_url", "http://acme.example/logo.png", "invalid_url"),
    ],
)
def test_a_setting_that_cannot_be_used_is_named(field, value, code, admin, body):
    name, _, part = field.partition(".")
    refused = admin.put(PATH, {**body, name: {part: value} if part else value}, status=422)
    assert codes(refused) == [(field, code)]


def test_a_slug_is_taken_once_among_all_organizations(admin, body, new_organization):
    assert_problem(admin.put(PATH, {**body, "slug": new_organization().name}), 409, "slug_taken")
    slug = f"free-{uuid.uuid4().hex[:12]}"
    assert admin.put(PATH, {**body, "slug": slug}, status=200).json["slug"] == slug


def test_the_logo_is_shown_on_the_organizations_forms_until_it_is_taken_away(organization, admin, anonymous):
    # Of its own size, because the same image of another organization has the same address.
    made = upload(admin, f"{PATH}/logo", image_file("PNG", (41, 23)), "our logo.png", "logo", status=201).json
    assert made["logo"]["content_type"] == "image/png"
    form = f"/forms/interview/{organization.invite()['token']}?step=needs"
    shown = f"/forms/logo/{made['logo']['sha256']}"
    assert shown in anonymous.get(form, status=200).text
    logo = anonymous.get(shown, status=200)
    assert (logo.content_type, "immutable" in logo.headers["Cache-Control"]) == ("image/png", True)
    public = anonymous.get(form.replace("/forms/", "/api/public/").partition("?")[0], status=200).json
    assert public["organization"]["logo_url"].endswith(shown)
    admin.delete(f"{PATH}/logo", status=204)
    assert "/forms/logo/" not in anonymous.get(form, status=200).text
    anonymous.get(shown, status=404)
    assert admin.get(PATH).json["logo"] is None
    admin.delete(f"{PATH}/logo", status=404)


def test_a_logo_that_is_no_image_or_was_replaced_or_taken_away_is_not_kept(organization, owner, admin):
    def stored():
        kept = (
            "select sha256 from app.files f join app.file_chunks c"
            " on c.organization_id = f.organization_id and c.file_id = f.id where f.organization_id = %s"
        )
        return owner.execute(kept, (organization.id,)).fetchall()

    assert_problem(upload(admin, f"{PATH}/logo", b"<svg/>", "a.png", "logo"), 422, "unsupported_file")
    upload(admin, f"{PATH}/logo", image_file("PNG"), "first.png", "logo", status=201)
    second = upload(admin, f"{PATH}/logo", image_file("JPEG"), "second.jpg", "logo", status=201).json
    assert stored() == [(second["logo"]["sha256"],)]
    admin.delete(f"{PATH}/logo", status=204)
    assert stored() == []


def test_a_logo_that_is_set_and_taken_away_in_the_same_moment_is_both(organization, admin):
    logo = f"{PATH}/logo"
    upload(admin, logo, image_file("PNG"), "a.png", "logo", status=201)
    storage = "update app.storage_use set bytes = bytes where organization_id = %s"
    answers = both_held_up(
        organization.owner,
        storage,
        [organization.id],
        lambda: upload(admin, logo, image_file("PNG"), "b.png", "logo"),
        lambda: admin.delete(logo),
    )
    assert [answer.status_int for answer in answers] == [201, 204]
