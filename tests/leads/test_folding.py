"""Texts are compared in one way: by searches of every kind, and matches."""

from urllib.parse import quote

import pytest

from tests.leads.names import NAMES
from tests.leads.test_matching import companies


@pytest.fixture
def found(member):
    """How many records of a path a search finds."""
    return lambda text, path="leads": member.get(f"/api/{path}?search={quote(text)}", status=200).json["total"]


@pytest.mark.parametrize(("first", "last", "typed"), NAMES, ids=[f"{number}" for number in range(len(NAMES))])
def test_a_name_of_any_script_is_found_by_what_a_person_types(organization, found, first, last, typed):
    organization.insert("leads", first_name=first, last_name=last)
    organization.insert("leads", first_name="Qqq", last_name="Xxx")
    assert found(typed) == 1


@pytest.mark.parametrize(
    ("name", "typed"),
    [("John", "joe"), ("Blum", "blue"), ("Arnold", "noel"), ("Anna", "'"), ("Anna", "annas"), ("李", "王")],
)
def test_another_name_is_not_found(organization, found, name, typed):
    organization.insert("leads", first_name=name)
    assert found(typed) == 0


@pytest.mark.parametrize(
    ("company", "typed"),
    [
        ("Müller & Söhne GmbH", "mueller und soehne"),
        ("Müller & Söhne GmbH", "müller&söhne"),
        ("Müller und Söhne", "Müller & Söhne"),
        ("Ortega y Gasset", "ortega and gasset"),
        ("Coca Cola", "coca-cola"),
        ("Coca-Cola", "cocacola"),
        ("Yahoo!", "yahoo"),
        ("Dr. Oetker", "dr oetker"),
        ("ООО «Ромашка»", "ромашка"),
        ("株式会社トヨタ", "ﾄﾖﾀ"),
        ("And Company", "and"),
    ],
)
@pytest.mark.parametrize(("path", "column"), [("leads", "company"), ("companies", "name"), ("teams", "name")])
def test_a_company_is_found_without_punctuation_and_the_word_and(organization, found, path, column, company, typed):
    organization.insert(path, **{column: company} | ({"first_name": "Eve"} if path == "leads" else {}))
    assert found(typed, path) == 1


@pytest.mark.parametrize(
    "typed",
    ["+491701234567", "0170 1234567", "0049 (170) 12 34 56 7", "0170/123", "170 1234567", "٠١٧٠ ١٢٣٤٥٦٧", "４９１７０"],
)
@pytest.mark.parametrize(
    "phone", ["+49 (0)170/1234567", "0170 1234567", "+491701234567", "0049 170-1234567", "491701234567"]
)
@pytest.mark.parametrize("path", ["leads", "contacts", "companies"])
def test_a_phone_number_is_found_in_every_notation(organization, owner, found, path, phone, typed):
    owner.execute("update app.organizations set country = 'Germany' where id = %s", (organization.id,))
    name = {"name": "Eve"} if path == "companies" else {"first_name": "Eve"}
    organization.insert(path, **name, phone=phone)
    organization.insert(path, **name, phone="+43 170 7654321")
    if typed in ("0170/123", "４９１７０") and phone[0] in "04":
        typed = "1701234"
    assert found(typed) == (1 if path == "leads" else 0)
    assert found(typed, path) == 1


@pytest.mark.parametrize(
    "typed", ["müller.example", "xn--mller-kva.example", "MÜLLER.example", "ute@müller", "ute muell"]
)
@pytest.mark.parametrize("path", ["leads", "contacts"])
def test_an_address_is_found_and_shown_with_its_domain_in_unicode(member, found, path, typed):
    made = member.post(f"/api/{path}", {"first_name": "Eve", "email": "ute@müller.example"}, status=201).json
    assert made["email"] == "ute@müller.example"
    assert found(typed, path) == 1
    assert member.put(f"/api/{path}/{made['id']}", made, status=200).json["email"] == made["email"]


FORMS = (
    "|Inc.|Ltd|Limited|LLC|PLC|Pty Ltd|Pte. Ltd.|Pvt. Ltd.|Sdn Bhd|Corp.|GmbH|AG|KG|OHG|UG (haftungsbeschränkt)|e.K."
    "|S.A.|SAS|S.A.R.L.|S.A. de C.V.|S. de R.L. de C.V.|S.L.|Ltda.|Lda.|S.p.A.|S.r.l.|B.V.|N.V.|AB|A/S|ApS|AS|ASA|Oy"
    "|Oyj|ehf.|Sp. z o.o.|Spółka z o.o.|s.r.o.|spol. s r.o.|a.s.|Kft.|Zrt.|Nyrt.|S.R.L.|d.o.o.|d.d.|EOOD|ООД|Α.Ε."
    "|Ε.Π.Ε."
    "|e. V.|S.à r.l.|GmbH i.G.|gGmbH|eG|SASU|EURL|S.r.l.s.|S.L.U.|BVBA|VOF|DA|I.K.E.|Berhad|JSC|FZ-LLC|S.A.E.|Bt."
    '|Sanayi ve Ticaret A.Ş.|A.Ş.|Ltd. Şti.|ООО|ТОВ|OÜ|SIA|UAB|FZE|W.L.L.|K.K.|Co., Ltd.|בע"מ|ش.م.م'
)
SAME = {
    "muller and sohne": [
        "Müller & Söhne GmbH",
        "Mueller und Soehne",
        "MULLER & SOHNE",
        "Müller et Söhne GmbH & Co. KG",
    ],
    "ромашка": ["ООО «Ромашка»", "Ромашка, ООО", "ПАО Ромашка"],
    "トヨタ": ["トヨタ株式會社", "合同会社トヨタ", "株式会社トヨタ", "トヨタ株式会社", "㈱トヨタ", "トヨタ（株）"],
    "삼성": ["삼성 주식회사", "(주)삼성", "삼성"],
    "北京字节": ["北京字节有限公司", "北京字节股份有限公司"],
    "acme": [f"Acme {form}".strip() for form in FORMS.split("|")],
    "maju": ["PT Maju Tbk", "PT. Maju", "UD Maju", "CV Maju"],
    "volvo": ["AB Volvo", "Volvo AB", "Aktiebolaget Volvo"],
    "النور": ["شركة النور ذ.م.م", "النور"],
}


@pytest.mark.parametrize("key", SAME)
def test_spellings_and_legal_forms_of_a_company_have_one_key(owner, key):
    keys = {name: owner.execute("select app.company_key(%s)", (name,)).fetchone()[0] for name in SAME[key]}
    assert keys == dict.fromkeys(SAME[key], key)


@pytest.mark.parametrize(
    "name", ["Limited", "Co", "AG", "ООО", "株式会社", "GmbH & Co. KG", "Sales Force", "Plan B", "A & B"]
)
def test_a_name_of_legal_forms_alone_keeps_a_key(owner, name):
    assert owner.execute("select app.company_key(%s) <> ''", (name,)).fetchone() == (True,)


def test_a_company_is_matched_by_its_domain_in_unicode_and_ascii(organization, member):
    organization.insert("companies", name="Müller", website="https://www.xn--mller-kva.example/")
    for text in ("müller.example", "xn--mller-kva.example", "ute@MÜLLER.example", "https://müller.example/a"):
        assert companies(member, text) == [("Müller", 0.9, "domain")]
    assert member.get(f"/api/companies?domain={quote('müller.example')}").json["total"] == 1


def test_four_spellings_of_a_company_are_qualified_as_one(organization, member):
    for number, company in enumerate(SAME["muller and sohne"]):
        lead = member.post("/api/leads", {"first_name": f"Eve {number}", "company": company}, status=201).json
        member.post(f"/api/leads/{lead['id']}/qualify", {"create_company": True}, status=200)
    assert len(organization.rows()["companies"]) == 1
