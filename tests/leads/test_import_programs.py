"""Files as other programs export them, with what they put around, below and into the rows."""

import csv
import io

import openpyxl
import pytest

from tests.http.target import assert_problem
from tests.leads.csv_files import FORM, counts, imported, multipart, results, send, stored
from tests.support import codes

COLUMNS = "first_name, last_name, company, phone, status, tags"


def text(*rows, sign=","):
    file = io.StringIO()
    csv.writer(file, delimiter=sign).writerows(rows)
    return file.getvalue()


# {program: (header, row, encoding, the lead by COLUMNS)}.
PROGRAMS = {
    "HubSpot": (
        "Record ID,First Name,Last Name,Phone Number,Contact owner,Lead Status,Associated Company",
        "15,Ute,Öz,+49 30 123456,Nobody Known,Attempted to Contact,Acme",
        "utf-8-sig",
        ("Ute", "Öz", "Acme", "+49 30 123456", "contacted", None),
    ),
    "Pipedrive": (
        "ID,Name,Label,Organization,Email - Work,Phone - Work,Open deals",
        "12,Ute Öz,Hot,Acme,ute@p.example,030 12345,0",
        "utf-8",
        ("Ute", "Öz", "Acme", "030 12345", "new", "Hot"),
    ),
    "Zoho": (
        "Lead Id,Lead Owner.id,Company,First Name,Last Name,Phone,Lead Status,Tag",
        'zcrm_4876,zcrm_1,Acme,Ute,Öz,030 12345,Junk Lead,"a,b"',
        "utf-8",
        ("Ute", "Öz", "Acme", "030 12345", "disqualified", "a, b"),
    ),
    "Google Contacts": (
        "First Name,Last Name,Organization Name,Labels,E-mail 1 - Label,E-mail 1 - Value,Phone 1 - Value",
        "Ute,Öz,Acme,* myContacts ::: Kunden,* Work,ute@g.example,030 12345 ::: 0170 123456",
        "utf-8",
        ("Ute", "Öz", "Acme", "030 12345", "new", "myContacts, Kunden"),
    ),
    "Outlook": (
        "Anrede,Vorname,Nachname,Firma,Telefon (geschäftlich),E-Mail-Adresse,E-Mail-Typ,Kategorien,Privat",
        "Frau,Ute,Öz,Acme,030 12345,/o=Exchange/cn=ute,EX,Kunde;VIP,Aus",
        "cp1252",
        ("Ute", "Öz", "Acme", "030 12345", "new", "Kunde, VIP"),
    ),
    "LinkedIn": (
        'Notes:\n"Some of the email addresses are missing."\n\n'
        "First Name,Last Name,URL,Email Address,Company,Connected On",
        "Ute,Öz,https://l.example,,Acme,31 Jan 2026",
        "utf-8",
        ("Ute", "Öz", "Acme", None, "new", None),
    ),
    "Facebook": (
        "id\tcreated_time\tis_organic\tfull_name\tphone_number\tcompany_name\tlead_status",
        "l:12345\t2026-01-31T09:30:00+01:00\tfalse\tUte Öz\tp:+4930123456\tAcme\tCREATED",
        "utf-16",
        ("Ute", "Öz", "Acme", "+4930123456", "new", None),
    ),
    "Eventbrite": (
        "Order ID,Order Date,Attendee Status,Name,Buyer Email,Company,Cell Phone",
        "9,31/01/2026,Attending,Ute Öz,bo@e.example,Acme,030 12345",
        "utf-8",
        ("Ute", "Öz", "Acme", "030 12345", "new", None),
    ),
    "Typeform": (
        "#,What's your *first name*?,And your last name?,What is your company?,Phone number,utm_source",
        "a1,Ute,Öz,Acme,'+4930123456,mail",
        "utf-8",
        ("Ute", "Öz", "Acme", "+4930123456", "new", None),
    ),
    "Mailchimp": (
        "Email Address,First Name,Last Name,Phone Number,MEMBER_RATING,TAGS",
        'ute@m.example,Ute,Öz,030 12345,2,"""VIP"",""Messe 2026"""',
        "utf-8",
        ("Ute", "Öz", None, "030 12345", "new", "VIP, Messe 2026"),
    ),
    "Airtable": (
        "Name,Phone,Company,Status,Attachments,Tags",
        'Ute Öz,(555) 123-4567,Acme,In progress,a.pdf (https://a.example/a.pdf),"VIP,Fair"',
        "utf-8-sig",
        ("Ute", "Öz", "Acme", "(555) 123-4567", "contacted", "VIP, Fair"),
    ),
    "Excel in Japanese": (
        "氏名,会社名,電話番号,ステータス,タグ",
        "山田\u3000太郎,アクメ株式会社,03-1234-5678,新規,展示会",
        "cp932",
        ("太郎", "山田", "アクメ株式会社", "03-1234-5678", "new", "展示会"),
    ),
    "Excel in Polish": (
        "Imię;Nazwisko;Firma;Telefon;Etykiety",
        "Łukasz;Żółć;Spółka;22 123 45 67;Targi",
        "cp1250",
        ("Łukasz", "Żółć", "Spółka", "22 123 45 67", "new", "Targi"),
    ),
    "Excel in Turkish": (
        "Ad;Soyad;Şirket;Telefon;Durum",
        "Ayşe;Yılmaz;Işık A.Ş.;0212 123 45 67;Yeni",
        "cp1254",
        ("Ayşe", "Yılmaz", "Işık A.Ş.", "0212 123 45 67", "new", None),
    ),
    "Excel in Portuguese": (
        "Nome;Sobrenome;Empresa;Telefone;Situação",
        "João;Conceição;Ação Ltda;(11) 91234-5678;Qualificado",
        "cp1252",
        ("João", "Conceição", "Ação Ltda", "(11) 91234-5678", "qualified", None),
    ),
    "Excel in Arabic": (
        "الاسم الأول;اسم العائلة;الشركة;الهاتف;الحالة",
        "أحمد;الخالد;شركة النور;0501234567;جديد",
        "cp1256",
        ("أحمد", "الخالد", "شركة النور", "0501234567", "new", None),
    ),
}


@pytest.mark.parametrize("name", PROGRAMS)
def test_a_row_of_another_program_is_read_as_that_program_means_it(organization, member, name):
    header, row, encoding, lead = PROGRAMS[name]
    report = imported(member, f"{header}\r\n{row}\r\n".encode(encoding))
    assert (counts(report), stored(organization, COLUMNS)) == ((1, 0, 0, 0), [lead])


SALESFORCE = ["Leads Report"], ["Copyright (c) 2026 salesforce.com, inc."], ["Generated By: Rita Rep"], ["Acme Corp"]


@pytest.mark.parametrize(
    "below",
    [[[], *SALESFORCE], [["Summe", "", "", "1.244,50"]], [["Total:", "", "", "5"], ["Count: 1"]], [[], ["* n.b. 5 %"]]],
)
def test_totals_and_footers_below_the_table_fail_with_a_reason(organization, member, below):
    report = imported(member, text(["Name", "Last name", "Email", "Sum"], ["Ute", "Öz", "ute@x.example", "5"], *below))
    assert (counts(report)[:3], [lead[0] for lead in stored(organization)]) == ((1, 0, 0), ["Ute"])
    assert {"below the table" in error["message"] for error in report["errors"]} == {True}


@pytest.mark.parametrize(
    "last", [["Bo Lund"], ["", "", "bo@x.example"], ["Total", "Energies"], ["Sum", "", "a@x.example"]]
)
def test_a_last_row_of_few_cells_is_a_lead_unless_it_is_a_footer(member, last):
    assert (
        imported(member, text(["Name", "Last name", "Email"], ["Ute", "Öz", "u@x.example"], [], last))["imported"] == 2
    )


def test_addresses_below_a_blank_row_and_a_total_that_others_follow_are_leads(member):
    rows = [["Total", "5"], ["Ute", ""], ["", ""], ["", "7"]]
    assert counts(imported(member, text(["Company", "Seats"], *rows)))[0] == 2


def test_a_row_of_data_is_not_taken_for_a_header(member):
    assert_problem(send(member, "Antwort,Quelle2\nute@x.example,mail\n"), 422, "invalid_csv")


def test_a_preview_shows_columns_of_which_none_is_known(member):
    form = multipart(b"Etunimi;Puhelin\nAino;09 1234\n")
    asked = {"raw": form, "headers": {"Content-Type": FORM}}
    told = member.request("POST", "/api/leads/import/preview", **asked, status=200).json
    assert [(column["header"], column["field"]) for column in told["columns"]] == [("Etunimi", None), ("Puhelin", None)]
    refused = send(member, "Etunimi;Puhelin\nAino;09 1234\n", status=422)
    assert (codes(refused), "mapping" in refused.json["detail"]) == ([("file", "missing_column")], True)


def test_the_ids_and_tags_of_an_export_are_read_as_they_are(admin, member):
    for tags in ('"VIP","Fair"', "* a ::: b"):
        member.post("/api/leads", {"first_name": "Ute", "tags": tags}, status=201)
    report = imported(member, admin.get("/api/leads/export").body, "?on_duplicate=update")
    assert (report["unchanged"], report["warnings"]) == (2, [])


@pytest.mark.parametrize("name", ["Ute\xa0Öz", "Ute  Öz", "Öz,Ute", "Ute Öz"])
def test_a_full_name_is_split_at_any_space(organization, member, name):
    imported(member, text(["Name"], [name]))
    assert stored(organization, "first_name, last_name") == [("Ute", "Öz")]


@pytest.mark.parametrize("cell", ["Rita Rep (rita@{}.example)", "Rita  REP", "Rita Rep <rita@{}.example>"])
def test_an_owner_is_known_by_name_or_with_an_address_behind_it(organization, owner, member, cell):
    user = organization.users["member"]
    owner.execute("update app.users set name = 'Rita Rep', email = %s where id = %s", (f"rita@{user}.example", user))
    assert imported(member, f"Name,Lead Owner\nUte,{cell.format(user)}\n")["warnings"] == []
    assert stored(organization, "assigned_to") == [(user,)]


def test_an_owner_whose_name_two_seats_have_is_left_out_with_a_warning(organization, owner, member):
    people = [organization.users["member"], organization.users["admin"]]
    owner.execute("update app.users set name = 'Rita Rep' where id = any(%s)", (people,))
    assert [warning["value"] for warning in imported(member, "Name,Owner\nUte,Rita Rep\n")["warnings"]] == ["Rita Rep"]


def test_another_programs_id_and_another_full_name_are_told(member):
    report = imported(member, "id,First name,Last name,Name\nl:1,Ute,Öz,Acme\n99999,Bo,Lund,Lund Bo\n")
    told = [(warning["code"], warning["column"], warning.get("count")) for warning in report["warnings"]]
    assert told == [("unread_column", "id", 2), ("several_values", "name", None)]


def test_merged_cells_of_a_workbook_hold_for_all_their_rows(organization, member):
    book = openpyxl.Workbook()
    rows = ["Person", None, "Firma"], ["Vorname", "Nachname"], ["Ada", "B", "Acme"], ["Bo", "C"], ["Cy", "D", "Beta"]
    for row in rows:
        book.active.append(row)
    for area in ("A1:B1", "C1:C2", "C3:C4"):
        book.active.merge_cells(area)
    file = io.BytesIO()
    book.save(file)
    assert results(imported(member, file.getvalue())) == [(3, "created"), (4, "created"), (5, "created")]
    assert stored(organization, "first_name, company") == [("Ada", "Acme"), ("Bo", "Acme"), ("Cy", "Beta")]
