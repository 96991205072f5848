"""Telephone numbers are compared as Google's library reads them."""

import phonenumbers
import pytest
from phonenumbers import PhoneNumberFormat, PhoneNumberType

# Argentina's mobile numbers have digits at home that calls from abroad replace.
KINDS = [PhoneNumberType.FIXED_LINE, PhoneNumberType.MOBILE]
EXAMPLES = [
    (region, phonenumbers.example_number_for_type(region, kind))
    for region in sorted(phonenumbers.SUPPORTED_REGIONS)
    for kind in KINDS
    if (region, kind) != ("AR", PhoneNumberType.MOBILE) and phonenumbers.example_number_for_type(region, kind)
]


def spellings(number):
    """A number as people write it at home and abroad."""
    for form in (PhoneNumberFormat.NATIONAL, PhoneNumberFormat.INTERNATIONAL, PhoneNumberFormat.RFC3966):
        yield phonenumbers.format_number(number, form)
    e164 = phonenumbers.format_number(number, PhoneNumberFormat.E164)
    yield from (e164, e164.replace("+", "00"))


def test_numbers_of_every_region_have_the_key_that_the_library_gives(owner):
    cases = [
        (region, text, phonenumbers.format_number(number, PhoneNumberFormat.E164))
        for region, number in EXAMPLES
        for text in spellings(number)
    ]
    statement = (
        "select region, text, key, app.phone_key(text, region) from unnest(%s::text[], %s::text[], %s::text[]) "
        "as t (region, text, key) where app.phone_key(text, region) is distinct from key"
    )
    assert owner.execute(statement, [list(column) for column in zip(*cases, strict=True)]).fetchall() == []
    assert len(cases) > 2_000


@pytest.mark.parametrize(
    ("text", "region", "key"),
    [
        ("+49 (0)170/1234567", None, "+491701234567"),
        ("0170 1234567", None, "01701234567"),
        ("030 555000", "DE", "+4930555000"),
        ("+49 30 555000", "DE", "+4930555000"),
        ("+4930555000", "US", "+4930555000"),
        ("491701234567", "DE", "+491701234567"),
        ("011 49 30 555000", "US", "+4930555000"),
        ("(212) 555-0100", "US", "+12125550100"),
        ("1 212 555 0100", "CA", "+12125550100"),
        ("030-555000 ext. 12", "DE", "+4930555000"),
        ("030 555000 x12", "DE", "+4930555000"),
        ("+49 30 555000;ext=12", "DE", "+4930555000"),
        ("tel:+49-30-555000", None, "+4930555000"),
        ("０３０ ５５５０００", "DE", "+4930555000"),
        ("٠٣٠ ٥٥٥٠٠٠", "DE", "+4930555000"),
        ("06 1234 5678", "IT", "+390612345678"),
        ("8 (495) 123-45-67", "RU", "+74951234567"),
        ("06 20 123 4567", "HU", "+36201234567"),
        ("k.A.", "DE", None),
        ("", "DE", None),
        ("1" * 30, "DE", None),
    ],
)
def test_a_number_has_a_key(owner, text, region, key):
    assert owner.execute("select app.phone_key(%s, %s)", (text, region)).fetchone() == (key,)


@pytest.mark.parametrize(
    ("country", "locale", "region"),
    [
        ("DE", "en", "DE"),
        ("Germany", "en", "DE"),
        ("Österreich", "en", "AT"),
        ("uk", "en", "GB"),
        ("USA", "en", "US"),
        ("Israel", "en", "IL"),
        ("日本", "en", "JP"),
        ("Nowhere", "de-CH", "CH"),
        (None, "pt_BR", "BR"),
        (None, "en", None),
    ],
)
def test_national_numbers_belong_to_the_organizations_country(owner, world, country, locale, region):
    owner.execute("update app.organizations set country = %s, locale = %s where slug = 'acme'", (country, locale))
    owner.execute("select set_config('app.organization_id', id::text, true) from app.organizations where slug = 'acme'")
    assert owner.execute("select app.phone_region()").fetchone() == (region,)


@pytest.mark.parametrize(
    ("one", "other", "agree"),
    [
        ("Anna Weiß", "WEISS, Anna", True),
        ("Anna", "Anna Schmidt", True),
        ("Anna Maria Schmidt", "Schmidt Anna", True),
        ("李小龙", "小龙 李", True),
        ("van der Berg", "Vanderberg", True),
        ("Jean-Luc", "jean luc", True),
        ("Jörg Müller", "Joerg Mueller", True),
        ("", "Anna", True),
        (None, "Anna", True),
        ("Anna", "Bernd", False),
        ("Anna Schmidt", "Anna Meier", False),
        ("Anna Schmidt", "Bernd Schmidt", False),
    ],
)
def test_names_agree_when_they_can_be_one_persons(owner, one, other, agree):
    query = "select app.names_agree(%s, %s), app.names_agree(%s, %s)"
    assert owner.execute(query, (one, other, other, one)).fetchone() == (agree, agree)


ROLES = "info sales Office kontakt buero büro vertrieb contact comptabilite ventas vendas contatti verkoop biuro info2"
PEOPLE = "anna a.schmidt schmidt infante salesman officer mike information.anna"


@pytest.mark.parametrize(("locals", "role"), [(f"{ROLES} info+x no-reply sales_de", True), (PEOPLE, False)])
def test_an_address_of_a_role_is_told_from_a_persons(owner, locals, role):
    for local in locals.split():
        address = f"{local}@firm.example"
        assert owner.execute("select app.is_role_address(%s)", (address,)).fetchone() == (role,), address


@pytest.mark.parametrize(
    ("stored", "shown"),
    [
        ("ute@xn--mller-kva.example", "ute@müller.example"),
        ("xn--fiqs8s", "中国"),
        ("xn--e1afmkfd.xn--p1ai", "пример.рф"),
        ("xn--mgberp4a5d4ar", "السعودية"),
        ("xn--hxajbheg2az3al.xn--jxalpdlp", "παράδειγμα.δοκιμή"),
        ("acme.example", "acme.example"),
        ("xn--zzz$.example", "xn--zzz$.example"),
        ("xn--", "xn--"),
        ("xn--99999999999.example", "xn--99999999999.example"),
    ],
)
def test_a_domain_is_shown_in_unicode(owner, stored, shown):
    assert owner.execute("select app.domain_shown(%s)", (stored,)).fetchone() == (shown,)
