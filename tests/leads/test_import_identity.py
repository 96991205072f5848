import csv
import io
from urllib.parse import quote

import pytest

from tests.leads.csv_files import counts, everything, imported, results, stored, table

UPDATE = "?on_duplicate=update"


@pytest.fixture(autouse=True)
def germany(organization, owner):
    """National phone numbers belong to a country."""
    owner.execute("update app.organizations set country = 'Germany' where id = %s", (organization.id,))


@pytest.fixture
def lead(member):
    return lambda **fields: member.post("/api/leads", {"first_name": "Anna", **fields}, status=201).json


def export(admin):
    text = admin.get("/api/leads/export", status=200).body.decode("utf-8-sig")
    return list(csv.DictReader(io.StringIO(text, newline="")))


def again(member, rows, query=UPDATE):
    return imported(member, table(rows, list(rows[0])), query)


@pytest.mark.parametrize(
    ("known", "change"),
    [
        ({"email": "anna@x.example"}, {"email": "anna.meyer@x.example"}),
        ({"email": "anna@x.example"}, {"first_name": "Anne", "email": "anne@x.example", "phone": "030 1"}),
        ({"phone": "030 555000"}, {"phone": "030 555999"}),
        ({"phone": "030 555000"}, {"email": "anna@x.example"}),
        ({"company": "Acme"}, {"company": "Acme Ltd"}),
        ({"company": "Acme"}, {"first_name": "Annabel", "last_name": "Meyer"}),
        ({}, {"notes": "Likes tea"}),
        ({"external_id": "7"}, {"external_id": "8"}),
        ({"notes": "Old"}, {"notes": "New", "tags": "fair"}),
        ({"email": "anna@x.example", "external_id": "7"}, {"email": "a@x.example", "external_id": "9"}),
    ],
)
def test_an_edited_export_changes_its_own_lead(admin, lead, known, change):
    id = lead(**known)["id"]
    lead(first_name="Bernd", email="bernd@x.example")
    first, second = export(admin)
    report = again(admin, [{**first, **change}, second])
    assert results(report, "lead_id")[0] == (2, "updated", id)
    assert everything(report) == [0, 1, 1, 0, 0, 0]
    assert export(admin)[0] == {**first, **change, "updated_at": export(admin)[0]["updated_at"]}


@pytest.mark.parametrize("change", [{"phone": "030 1"}, {"status": "contacted"}, {"phone": None, "company": "Acme"}])
def test_a_lead_that_was_changed_after_the_export_is_a_conflict(organization, admin, lead, change):
    id = lead(email="anna@x.example", phone="030 555000")["id"]
    (row,) = export(admin)
    admin.patch(f"/api/leads/{id}", change, status=200)
    report = again(admin, [{**row, "tags": "fair"}])
    assert results(report, "lead_id") == [(2, "conflict", id)]
    assert "after the file was exported. Differs in " in report["rows"][0]["reason"]
    assert stored(organization, "tags") == [(None,)]
    assert everything(again(admin, [{**row, "tags": "fair"}], f"{UPDATE}&conflicts=overwrite")) == [0, 1, 0, 0, 0, 0]
    assert stored(organization, "tags, phone, status") == [("fair", "030 555000", "new")]


def test_times_that_a_spreadsheet_has_cut_to_seconds_or_minutes_are_no_conflict(admin, lead):
    lead(email="anna@x.example")
    for cut in (lambda time: time[:19], lambda time: time[:19].replace("T", " "), lambda time: time[:16]):
        (row,) = export(admin)
        written = cut(row["updated_at"])
        assert everything(again(admin, [{**row, "updated_at": written, "notes": f"Cut to {written}"}]))[1] == 1
        row = export(admin)[0]


def test_a_lead_that_was_changed_to_what_the_file_says_is_unchanged(admin, lead):
    id = lead(email="anna@x.example")["id"]
    (row,) = export(admin)
    admin.patch(f"/api/leads/{id}", {"phone": "030 1234"}, status=200)
    assert everything(again(admin, [{**row, "phone": "030 1234"}])) == [0, 0, 1, 0, 0, 0]


@pytest.fixture
def pair(admin, lead):
    """The exported rows of Anna and Bernd, who have an address each."""
    for name in ("Anna", "Bernd"):
        lead(first_name=name, email=f"{name.lower()}@x.example", phone="030 1234", company="Acme")
    return export(admin)


@pytest.mark.parametrize(
    ("edit", "expected"),
    [
        (lambda a, b: [b, a], [0, 0, 2, 0, 0, 0]),
        (lambda a, b: [a, b, {**a, "notes": "Tea"}], [0, 2, 1, 0, 0, 0]),
        (lambda a, b: [{**a, "email": b["email"]}, {**b, "email": a["email"]}], [0, 2, 0, 0, 0, 0]),
        (lambda a, b: [{**a, "email": b["email"]}, b], [0, 1, 1, 0, 0, 0]),
        (lambda a, b: [{**a, "email": ""}, b], [0, 1, 1, 0, 0, 0]),
        (lambda a, b: [{"id": a["id"], "first_name": "Anna", "notes": "Tea"}], [0, 1, 0, 0, 0, 0]),
        (lambda a, b: [{"id": a["id"], "created_at": a["created_at"], "notes": "Tea"}], [0, 1, 0, 0, 0, 0]),
        (lambda a, b: [{**a, "id": f" {a['id']} "}, b], [0, 0, 2, 0, 0, 0]),
        (lambda a, b: [{**a, "id": ""}, {**b, "id": ""}], [0, 0, 2, 0, 0, 0]),
        (lambda a, b: [{**a, "phone": "+49 30 1234", "company": "ACME GmbH"}, b], [0, 1, 1, 0, 0, 0]),
        (lambda a, b: [{**a, "status": "kontaktiert", "first_name": "Ännchen"}, b], [0, 1, 1, 0, 0, 0]),
    ],
)
def test_an_export_that_was_edited_otherwise_makes_no_new_lead(organization, admin, pair, edit, expected):
    report = again(admin, edit(*pair), f"{UPDATE}&blank=clear")
    assert everything(report) == expected
    assert len(stored(organization)) == 2


def test_the_ids_of_another_organization_find_no_lead(organization, new_organization, pair):
    other = new_organization()
    assert everything(again(other.admin, pair)) == [2, 0, 0, 0, 0, 0]
    assert stored(organization, "updated_at > created_at, 1 as one") == [(False, 1)] * 2


SPREADSHEETS = [
    ("phone", "0170123456", "170123456"),
    ("phone", "00491701234567", "491701234567"),
    ("phone", "+4930123456", "4930123456"),
    ("phone", "030123456", "30123456.0"),
    ("external_id", "0012", "12"),
    ("external_id", "1E5", "100000"),
    ("external_id", "1E5", "1.00E+05"),
    ("external_id", "491701234567890123", "4.9170123456789E+017"),
    ("external_id", "491701234567890123", "4,91701E+17"),
    ("external_id", "1.10", "1.1"),
    ("company", "007", "7"),
    ("job_title", "1,50", "1,5"),
    ("notes", "0815", "815"),
    ("tags", "00", "0"),
    ("notes", "Tea\tMilk", "TeaMilk"),
]


@pytest.mark.parametrize(("field", "value", "cell"), SPREADSHEETS)
def test_a_text_that_a_spreadsheet_has_made_a_number_of_is_unchanged(admin, lead, field, value, cell):
    lead(email="anna@x.example", **{field: value})
    (row,) = export(admin)
    assert everything(again(admin, [{**row, field: cell}])) == [0, 0, 1, 0, 0, 0]
    if field != "external_id":  # which names another lead without the id
        other = {"email": "anna@x.example", field: cell, "last_name": "Meyer"}
        assert everything(again(admin, [other])) == [0, 1, 0, 0, 0, 0]
    assert export(admin)[0][field].lstrip("'") == value


@pytest.mark.parametrize(
    ("field", "value", "cell"),
    [
        ("phone", "0170123456", "170123457"),
        ("phone", "170123456", "0170123456"),
        ("phone", "0170123456", "0170 123456"),
        ("external_id", "0012", "13"),
        ("external_id", "12", "0012"),
        ("external_id", "1.1", "1.10"),
        ("external_id", "491701234567890123", "4.93E+17"),
        ("external_id", "A12", "12"),
        ("company", "Acme", "7"),
        ("notes", "0815 is plain", "815"),
    ],
)
def test_another_number_is_a_change(organization, admin, lead, field, value, cell):
    lead(email="anna@x.example", **{field: value})
    (row,) = export(admin)
    assert everything(again(admin, [{**row, field: cell}])) == [0, 1, 0, 0, 0, 0]
    assert stored(organization, f"{field}, 1 as one") == [(cell, 1)]


def test_an_external_id_without_its_zeros_takes_no_other_lead_s(organization, admin, lead):
    for id in ("0012", "12"):
        lead(email=f"anna{id}@x.example", external_id=id)
    rows = [{**row, "external_id": "12"} for row in export(admin)]
    assert everything(again(admin, rows)) == [0, 0, 2, 0, 0, 0]
    assert stored(organization, "external_id") == [("0012",), ("12",)]


def test_an_id_of_another_program_finds_no_lead(organization, member, lead):
    id = lead(email="anna@x.example", company="Acme")["id"]
    report = imported(member, f"id,first_name,email\n{id},Bernd,bernd@x.example\n", UPDATE)
    assert everything(report) == [1, 0, 0, 0, 0, 0]
    assert stored(organization, "first_name") == [("Anna",), ("Bernd",)]


@pytest.mark.parametrize("id", ["0", "-1", "x", "l:17", "99999999999999999999", "1.5", ""])
def test_an_id_that_is_none_is_passed_over(organization, member, id):
    assert everything(imported(member, f"id,first_name\n{id},Anna\n", UPDATE)) == [1, 0, 0, 0, 0, 0]


@pytest.mark.parametrize(
    ("known", "row", "result"),
    [
        ({"phone": "030 555000"}, "Anna,,+49 30 555000,,", "updated"),
        ({"phone": "+4930555000"}, "ANNA,,030 / 55 50 00,,", "updated"),
        ({"company": "Acme GmbH"}, "Anna,,,Acme,", "updated"),
        ({"company": "Acme", "phone": "030 555000"}, "Anna,,030 777000,ACME,", "updated"),
        ({"email": "anna@x.example", "company": "Acme"}, "Anna,,,Acme,", "updated"),
        ({"company": "Acme"}, "Anna,anna@x.example,,Acme,", "updated"),
        ({"email": "other@x.example", "company": "Acme"}, "Anna,anna@x.example,,Acme,", "created"),
        ({"company": "Acme"}, "Bernd,,,Acme,", "created"),
        ({"phone": "030 555000"}, "Anna,,030 555001,,", "created"),
        ({"company": "Acme"}, "Anna,,,,", "created"),
        ({}, "Anna,,,,", "updated"),
    ],
)
def test_a_row_without_ids_matches_by_name_with_phone_or_company(member, lead, known, row, result):
    lead(**known)
    report = imported(member, f"first_name,email,phone,company,notes\n{row}Tea\n", UPDATE)
    assert results(report) == [(2, result)]


@pytest.mark.parametrize(
    ("rows", "people"),
    [
        (["Anna,,,", "Anna,,,"], 1),
        (["Anna,,030 555000,", "Anna,,+49 30 555000,", "Anna,,+4930555000,"], 1),
        (["Anna,,,Acme", "Anna,,,Acme GmbH"], 1),
        (["Anna,,1234567,", "Anna,,,Acme", "Anna,,1234567,Acme"], 2),
        (["Anna,,1234567,Acme", "Anna,a@x.example,1234567,"], 1),
        (["Anna,a@x.example,,Acme", "Anna,b@x.example,,Acme"], 2),
        (["Anna,a@x.example,,Acme", "Anna,b@x.example,,Acme", "Anna,,,Acme"], 2),
        (["Anna,a@x.example,,", "Anna,A@X.example,,"], 1),
        (["Anna,,,Acme", "Bernd,,,Acme"], 2),
        (["Anna,,,", "Anna,,,Acme"], 2),
    ],
)
def test_rows_of_one_person_make_one_lead_and_the_same_file_none(organization, member, rows, people):
    file = "\n".join(["first_name,email,phone,company", *rows])
    report = imported(member, file)
    assert (counts(report)[0], counts(report)[2]) == (people, len(rows) - people)
    for mode in ("skip", "update"):
        assert imported(member, file, f"?on_duplicate={mode}")["imported"] == 0
    assert len(stored(organization)) == people


def test_each_skipped_row_has_its_reason_and_its_lead(member, lead):
    known = lead(email="anna@x.example")["id"]
    report = imported(member, "first_name,email\nAnna,ANNA@x.example\nEva,eva@x.example\nEva,eva@x.example\n")
    assert results(report, "lead_id", "reason") == [
        (2, "skipped", known, f"Lead {known} has the same email address."),
        (3, "created", known + 1, None),
        (4, "skipped", known + 1, "Row 3 is about the same person."),
    ]


def test_the_name_decides_between_leads_with_one_address(organization, member, lead):
    for name in ("Anna", "Bernd"):
        lead(first_name=name, email="ab@x.example")
    report = imported(member, "first_name,email,phone\nBernd,ab@x.example,030 1234\nEva,ab@x.example,1234\n", UPDATE)
    assert [row["result"] for row in report["rows"]] == ["updated", "skipped"]
    assert report["rows"][1]["reason"] == "Several leads have this email address."
    assert stored(organization, "first_name, phone") == [("Anna", None), ("Bernd", "030 1234")]


@pytest.mark.parametrize("address", ["info@x.example", "INFO@x.example", "sales@x.example", "kontakt@x.example"])
def test_people_with_the_address_of_a_role_are_several_also_within_a_file(organization, member, address):
    file = f"first_name,last_name,email\nAnna,Meyer,{address}\nBernd,Kurz,{address.lower()}\nAnna,Meyer,{address}\n"
    report = imported(member, file, UPDATE)
    assert [row["result"] for row in report["rows"]] == ["created", "created", "updated"]
    assert stored(organization, "first_name") == [("Anna",), ("Bernd",)]
    assert imported(member, file, UPDATE)["unchanged"] == 3


def test_of_many_leads_at_the_address_of_a_role_an_equal_name_counts_alone(organization, member):
    file = "first_name,last_name,email\n" + "".join(f"Anna {number},Meyer,info@x.example\n" for number in range(25))
    assert imported(member, file, UPDATE)["imported"] == 25
    further = "Anna 7,Meyer,INFO@x.example\nA,Meyer,info@x.example\n"
    report = imported(member, "first_name,last_name,email\n" + further, UPDATE)
    assert everything(report) == [1, 0, 1, 0, 0, 0]
    assert everything(imported(member, file, UPDATE)) == [0, 0, 25, 0, 0, 0]


MANY = (
    "insert into app.leads (organization_id, first_name, last_name, email, company) "
    "select %s, 'Pat', 'Meyer ' || number, %s, 'Acme' from generate_series(1, 20000) as number"
)


def test_of_thousands_of_leads_with_a_persons_address_the_one_with_the_rows_name_counts(organization, member, owner):
    owner.execute(MANY, [organization.id, "pat@x.example"])
    rows = "".join(f"Pat,Meyer {number},PAT@x.example\n" for number in range(1, 40001, 2))
    report = imported(member, "first_name,last_name,email\n" + rows)
    # A row with another name can be any of them.
    assert counts(report) == (0, 0, 20000, 0)
    update = imported(
        member, "first_name,last_name,email,phone\nPat,Meyer 7,pat@x.example,030 1\nP,M,pat@x.example,\n", UPDATE
    )
    assert [row["result"] for row in update["rows"]] == ["updated", "skipped"]


def test_thousands_of_rows_match_thousands_of_leads_with_their_name_and_company(organization, member, owner):
    owner.execute(
        MANY.replace("'Meyer ' || number", "'Meyer'").replace("'Acme'", "'Firm ' || number"), [organization.id, None]
    )
    rows = "".join(f"Pat,Meyer,Firm {number} Ltd\n" for number in range(1, 40001, 2))
    assert counts(imported(member, "first_name,last_name,company\n" + rows)) == (10000, 0, 10000, 0)


@pytest.mark.parametrize(
    "address",
    [
        *("info@x.example", "Info+de@x.example", "customer.care2@x.example", "büro@x.example", "info.de@x.example"),
        *("info2@x.example", "sales-team@x.example", "info_berlin@x.example", "no-reply@x.example", "hr@x.example"),
    ],
)
def test_the_address_of_a_role_that_another_person_has_is_a_warning(lead, member, address):
    lead(first_name="Anna", email=address)
    report = imported(
        member, f"first_name,email\nBernd,{address}\nEva,vertrieb@x.example\nBernd,{address}\nDora,vertrieb@x.example\n"
    )
    warned = [tuple(warning[name] for name in ("row", "column", "code")) for warning in report["warnings"]]
    assert warned == [(2, "email", "same_address"), (5, "email", "same_address")]


@pytest.mark.parametrize(
    "address",
    ["it.meyer@x.example", "info.meyer@x.example", "a.b@x.example", "annainfo@x.example", "ap.klein@x.example"],
)
def test_the_address_of_a_person_is_no_role(organization, member, lead, address):
    lead(first_name="Anna", email=address)
    assert everything(imported(member, f"first_name,email\nAnne,{address}\n", UPDATE)) == [0, 1, 0, 0, 0, 0]


@pytest.mark.parametrize(
    ("known", "address"),
    [
        ("jörg@x.example", "JÖRG@X.example"),
        ("ΝΊΚΟΣ@x.example", "νίκοσ@x.example"),
        ("Йосип@x.example", "йосип@x.example"),
    ],
)
def test_an_address_beyond_ascii_is_known_in_any_case(organization, member, lead, known, address):
    lead(email=known)
    assert everything(imported(member, f"first_name,email,notes\nAnna,{address},Tea\n", UPDATE)) == [0, 1, 0, 0, 0, 0]
    assert member.get(f"/api/leads?email={quote(address)}", status=200).json["total"] == 1


def test_a_blank_cell_clears_a_value_when_asked(organization, member, lead):
    lead(email="anna@x.example", phone="030 1234", company="Acme", notes="Tea")
    file = "first_name,email,phone,notes\n,anna@x.example,,\n"
    assert everything(imported(member, file, UPDATE)) == [0, 0, 1, 0, 0, 0]
    assert everything(imported(member, file, f"{UPDATE}&blank=clear")) == [0, 1, 0, 0, 0, 0]
    assert stored(organization, "first_name, phone, company, notes") == [("Anna", None, "Acme", None)]


def test_a_bad_cell_clears_nothing(organization, member, lead):
    lead(email="anna@x.example", phone="030 1234", company="Acme", assigned_to=organization.users["member"])
    file = "email,phone,company,assigned_to\nanna@x.example,k.A.,#N/A,nobody@x.example\n"
    assert everything(imported(member, file, f"{UPDATE}&blank=clear")) == [0, 0, 1, 0, 0, 0]
    kept = ("030 1234", "Acme", organization.users["member"])
    assert stored(organization, "phone, company, assigned_to") == [kept]


def test_a_taken_external_id_fails_its_row(member, lead):
    lead(external_id="7")
    id = lead(first_name="Bernd", email="bernd@x.example")["id"]
    report = imported(member, f"id,first_name,external_id\n{id},Bernd,7\n", UPDATE)
    assert [(error["row"], error["code"]) for error in report["errors"]] == [(2, "external_id_taken")]
    assert results(report) == [(2, "failed")]
