import io
from pathlib import Path

import openpyxl
import pytest

from tests.leads.csv_files import imported, results, send, stored
from tests.support import codes

GERMAN = "Vorname;Nachname;Firma\nJürgen;Müller;Größe & Söhne\nJörg;Weiß;Käse GmbH\n"
FRENCH = "Prénom;Nom;Société\nFrançois;Lefèvre;Hôtel Élysée\nHélène;Gaël;Crêperie\n"
POLISH = "Imię;Nazwisko;Firma\nŁukasz;Żółkiewski;Gałązka\nMałgorzata;Ślęzak;Źródło\n"
CZECH = "Name;Surname\nŘehoř;Dvořák\nZdeněk;Černý\n"
RUSSIAN = "Name;Firma\nИван Петров;Ромашка\nМария Сидорова;Берёза\n"
EURO = "Name;Notes\nAnna;„500 €“ – ok\n"
SPANISH = "Nombre;Apellidos;Empresa\nJosé;Muñoz;Peña\nÁngel;Núñez;Óptica\n"


@pytest.mark.parametrize(
    ("text", "encoding", "word"),
    [
        *((GERMAN, name, "cp1252") for name in ("cp1252", "iso-8859-1", "iso-8859-15")),
        *((text, "cp1252", "cp1252") for text in (FRENCH, SPANISH, EURO, "Name\nZoë\n", "Name\n5 €\n")),
        *((text, "mac_roman", "macroman") for text in (GERMAN, FRENCH, SPANISH, "Name\nZoë\n")),
        *((text, "cp1250", "cp1250") for text in (POLISH, CZECH)),
        (RUSSIAN, "cp1251", "cp1251"),
        ("氏名\n山田 太郎\nアクメ（株）\nＡＢＣ商事\nｱｸﾒ\n", "cp932", "cp932"),
        ("Ad\nAyşe Yılmaz\nÖmer\n", "cp1254", "cp1254"),
        ("الاسم\nأحمد الخالد\nAcme شركة\n", "cp1256", "cp1256"),
        *((GERMAN, name, "utf-16") for name in ("utf-16", "utf-16-le", "utf-16-be")),
        *((POLISH + RUSSIAN, name, "utf-8") for name in ("utf-8", "utf-8-sig")),
    ],
)
def test_the_encoding_of_a_file_is_recognized(organization, member, text, encoding, word):
    report = imported(member, text.encode(encoding))
    assert (report["encoding"], report["failed"]) == (word, 0)
    assert stored(organization, "first_name")[0][0] in text


@pytest.mark.parametrize("encoding", ["iso-8859-15", "macroman", "cp1250", "cp1252"])
def test_a_named_encoding_is_obeyed(organization, member, encoding):
    assert imported(member, "Name\nZoë\n".encode(encoding), f"?encoding={encoding}")["encoding"] == encoding
    assert stored(organization, "first_name") == [("Zoë",)]


def test_a_broken_character_costs_its_cell_alone(organization, member):
    text = "Name;Notes\nZoë;Größe\nJürgen;a".encode() + b"\xfc\n" + "Jörg;ä\nÄnne;Ö\nKäthe;ß\nRené;é\n".encode()
    report = imported(member, text)
    assert [(warning["row"], warning["column"]) for warning in report["warnings"]] == [(3, "notes")]
    assert len(stored(organization)) == 6


@pytest.mark.parametrize(
    ("text", "delimiter", "row"),
    [
        ("sep=;\nName;Notes\nAnna;a,b,c,d\n", ";", 2),
        ("sep=\t\r\nName\tNotes\r\nAnna\tTea\r\n", "tab", 2),
        ("Leads of the fair\n\nName,Notes\nAnna,Tea\n", ",", 4),
        ('Notes:\n"When exporting, some addresses may be missing."\n\nFirst Name,Last Name\nAnna,Meyer\n', ",", 5),
        ("Stand: 1.2.2026;;\n;;\nVorname;Firma;\nAnna;Acme;\n", ";", 4),
        ("Name|Email\nAnna|anna@x.example\n", "|", 2),
    ],
)
def test_delimiter_and_header_are_found(organization, member, text, delimiter, row):
    report = imported(member, text)
    assert (report["delimiter"], report["rows"][0]["row"]) == (delimiter, row)
    assert stored(organization, "first_name") == [("Anna",)]


@pytest.mark.parametrize(
    "text",
    [
        "first_name,notes\rAnna,a\rEva,b\r",
        "first_name,notes\r\nAnna,a\nEva,b\r\n",
        "\ufeffsep=;\r\nfirst_name;notes\r\nAnna;a\r\nEva;b",
        "first_name,notes,,,\nAnna,a,,,\nEva,b,,,\n",
        ",first_name,notes\n,Anna,a\n,Eva,b\n",
        '"First\nName","No-\ntes"\nAnna,a\nEva,b\n',
        "'first_name','notes'\nAnna,a\nEva,b\n",
        'first_name, notes\nAnna, a\nEva, "b"\n',
        "first_name,notes,notes\nAnna,a,\nEva,,b\n",
        "First\u00a0Name,Notes\u200b\nAnna,a\nEva,b\n",
        "Leads, as of today; please check,\nfirst_name;notes\nAnna;a\nEva;b\n",
        "first_name,notes\nAnna,a\n\nfirst_name,notes\nEva,b\n",
    ],
)
def test_a_table_is_read_in_every_shape(organization, member, text):
    assert imported(member, text)["errors"] == []
    assert stored(organization, "first_name, notes") == [("Anna", "a"), ("Eva", "b")]


@pytest.mark.parametrize(
    "line", ['"Inch 5" pipe",x', '"say \\"hi\\"",x', '"open,x', '"a"b,x', 'x,"open\n', '"a""b"c,x']
)
def test_a_stray_quote_is_the_error_of_its_row(organization, member, line):
    report = imported(member, f'first_name,notes\nAnna,a\n{line}\nBernd,"b, ""b"""\nEva,\n')
    assert [(error["row"], error["code"]) for error in report["errors"]] == [(3, "invalid_csv")]
    assert stored(organization, "first_name, notes") == [("Anna", "a"), ("Bernd", 'b, "b"'), ("Eva", None)]


@pytest.mark.parametrize(
    ("cell", "email"),
    [
        ("Ute <ute@v.example>", "ute@v.example"),
        ("mailto:ute@v.example", "ute@v.example"),
        ('"ute@v.example,"', "ute@v.example"),
        ("ute@v.example\u200b", "ute@v.example"),
        ("\ufeffute@v.example;", "ute@v.example"),
        ("ute＠v.example", "ute@v.example"),
        ("<ute@v.example>", "ute@v.example"),
        ("ute@v.example; uwe@v.example", "ute@v.example"),
        ("ute@v.example ::: uwe@v.example", "ute@v.example"),
        ("ute@v.example\u00a0", "ute@v.example"),
        ("mailto:ute@v.example?subject=Hi", "ute@v.example"),
        ("(ute@v.example)", "ute@v.example"),
        ("“ute@v.example”", "ute@v.example"),
        ("‹ute@v.example›!", "ute@v.example"),
        ("*ute@v.example*", "ute@v.example"),
        ("ute@v.example/", "ute@v.example"),
        ("http://ute@v.example", "ute@v.example"),
        ("smtp:ute@v.example", "ute@v.example"),
        ("ute [at] v.example", "ute@v.example"),
        ("E-Mail: ute@v.example (work)", "ute@v.example"),
        ("Ute Meyer [ute@v.example]", "ute@v.example"),
        ("[ute@v.example](mailto:ute@v.example)", "ute@v.example"),
        ("ute@v.example|uwe@v.example", "ute@v.example"),
        ("ute@v.example / uwe@v.example", "ute@v.example"),
        *((blank, None) for blank in ("n/a", "-", "k.A.", "none", "ute at v.example", "#N/A", "ute @v.example")),
        *((blank, None) for blank in ('"ute@v,example"', "ute@@v.example", "ute@", "noemail@noemail", "NULL", "?")),
    ],
)
def test_an_email_address_is_read_as_people_paste_it(organization, member, cell, email):
    report = imported(member, f"first_name,email\nUte,{cell}\n")
    assert stored(organization, "email") == [(email,)]
    assert bool(report["warnings"]) == (email is None or "uwe" in cell)


@pytest.mark.parametrize(
    ("cell", "phone"),
    [
        ("p:+4917012345678", "+4917012345678"),
        ('"=""0170123456"""', "0170123456"),
        ("'0301234567", "0301234567"),
        ("491701234567.0", "491701234567"),
        ('"4,91701234567E+11"', "491701234567"),
        ("4.91701234567E11", "491701234567"),
        ("tel:+49 30 1234", "+49 30 1234"),
        ("+49 (0)170/1234567", "+49 (0)170/1234567"),
        ("+1-800-FLOWERS", "+1-800-FLOWERS"),
        ("030 1234 ::: 0171 1234", "030 1234"),
        ("\u202a+49 30 1234\u202c", "+49 30 1234"),
        ("Telefon: 030 1234567", "030 1234567"),
        ("Téléphone : 01 23 45 67 89", "01 23 45 67 89"),
        ("Tel. (030) 1234567", "(030) 1234567"),
        ("☎ 030 1234567", "030 1234567"),
        ("M 0171 5555555", "0171 5555555"),
        ("tel://030 1234567", "030 1234567"),
        ("030 1234567 / 0171 5555555", "030 1234567"),
        ('"030 1234567, 0171 5555555"', "030 1234567"),
        ("030 1234567; 0171 5555555", "030 1234567"),
        ("030 1234567 oder 0171 5555555", "030 1234567"),
        ("030 / 12 34 56", "030 / 12 34 56"),
        ("+49 30 1234567 ext. 5", "+49 30 1234567 ext. 5"),
        ("0301234567 (Meyer)", "0301234567 (Meyer)"),
        ("Meyer 0301234567", "Meyer 0301234567"),
        ("+49\u00a030\u00a01234567", "+49 30 1234567"),
        *((blank, None) for blank in ("k.A.", "n/a", "-", '"4,91701E+11"', "#REF!", "12", "00000000", "########")),
        *((blank, None) for blank in ("0 0", "1.70E+08", "NULL", "keine", "ute@v.example", "siehe Notiz 2")),
    ],
)
def test_a_phone_number_is_read_as_spreadsheets_mangle_it(organization, member, cell, phone):
    report = imported(member, f"first_name,phone\nUte,{cell}\n")
    assert stored(organization, "phone") == [(phone,)]
    several = ":::" in cell or "0171 5555555" in cell and "030" in cell
    assert bool(report["warnings"]) == (phone is None or several)


@pytest.mark.parametrize(
    "cell", ["#N/A", "#NV", "#BEZUG!", "#VALEUR!", "#¿NOMBRE?", "#RIF!", "#VERW!", "#¡DIV/0!", "Err:502", " #NAME? "]
)
def test_the_error_of_a_formula_is_left_out_of_every_column(organization, member, cell):
    report = imported(member, f"first_name,last_name,company,external_id\nUte,{cell},{cell},{cell}\n")
    assert stored(organization, "name, company, external_id") == [("Ute", None, None)]
    columns = [(warning["column"], warning["code"]) for warning in report["warnings"]]
    assert columns == [(name, "formula_error") for name in ("last_name", "company", "external_id")]


@pytest.mark.parametrize("text", ["a" + " " * 32_000 + "b", "(" * 32_000, "a@" * 16_000, "1 " * 16_000])
def test_long_cells_and_headers_cost_no_more_than_their_length(member, text):
    """Each took minutes, by patterns whose time grows with the square of the length."""
    report = imported(member, f"first_name,email,phone,{text}\nAda,{text},{text},\n")
    assert [warning["column"] for warning in report["warnings"]] == ["email", "phone"]


@pytest.mark.parametrize("start", ["", '"open\n'])
def test_a_line_of_very_many_cells_fails_before_it_is_split(member, start):
    report = imported(member, "first_name,notes\nAnna,a\n" + start + "ab," * 200_000 + "\nBernd,b\n")
    assert [row for row in results(report) if row[1] == "created"] == [(2, "created"), (report["total"] + 1, "created")]
    assert [error["message"] for error in report["errors"]][-1] == "The line has more than 100,000 cells."


def workbook(*sheets):
    book = openpyxl.Workbook()
    book.remove(book.active)
    for title, rows in sheets:
        sheet = book.create_sheet(title)
        for row in rows:
            sheet.append(row)
    file = io.BytesIO()
    book.save(file)
    return file.getvalue()


ANNA = ["Anna", "Meyer", 4917012345678, "Zoë & Söhne"]
HEADER = ["Vorname", "Nachname", "Telefon", "Firma"]


def test_the_first_sheet_of_a_workbook_is_imported(organization, member):
    report = imported(member, workbook(("Leads", [[], ["Fair 2026"], HEADER, ANNA]), ("Other", [["Name"], ["Eva"]])))
    assert (report["encoding"], report["delimiter"], results(report)) == (None, None, [(4, "created")])
    assert stored(organization, "first_name, last_name, phone, company") == [
        ("Anna", "Meyer", "4917012345678", "Zoë & Söhne")
    ]


def test_another_sheet_is_imported_by_its_name_and_an_unknown_one_is_refused(organization, member):
    file = workbook(("Leads", [HEADER, ANNA]), ("Other", [["Name"], ["Eva"]]))
    imported(member, file, "?sheet=Other")
    assert stored(organization, "first_name") == [("Eva",)]
    refused = send(member, file, "?sheet=Third", status=422)
    assert (codes(refused), "Leads, Other" in refused.json["detail"]) == ([("sheet", "unknown_key")], True)


def test_a_file_of_libreoffice_is_imported_with_dates_numbers_blank_rows_and_sheets(organization, admin):
    for key, kind in (("day", "date"), ("seats", "number")):
        admin.post("/api/fields", {"kind": "lead", "key": key, "label": key, "type": kind}, status=201)
    file = Path(__file__).with_name("libreoffice.ods").read_bytes()
    assert results(imported(admin, file)) == [(6, "created"), (7, "created")]
    imported(admin, file, "?sheet=Visitors")
    assert stored(organization, "first_name, last_name, phone, fields") == [
        ("Jürgen", "Weiß", "491701234567", {"day": "2026-02-28", "seats": 12.5}),
        ("Eva", None, None, {"seats": 3}),
        ("Zoe", "Lund", None, {}),
    ]


def edited(edit, title="Leads"):
    """A workbook that `edit(book, sheet)` has changed."""
    book = openpyxl.Workbook()
    book.active.title = title
    edit(book, book.active)
    file = io.BytesIO()
    book.save(file)
    return file.getvalue()


def place(sheet, rows, top=1, left=1):
    for number, row in enumerate(rows):
        for column, value in enumerate(row):
            sheet.cell(top + number, left + column, value)


def test_a_row_far_below_the_others_of_a_workbook_is_imported(organization, member):
    file = edited(lambda _book, sheet: (place(sheet, [["Name"], ["Ada"]]), place(sheet, [["Bo"]], top=1_048_576)))
    assert results(imported(member, file)) == [(2, "created"), (1_048_576, "created")]
    assert stored(organization, "first_name") == [("Ada",), ("Bo",)]


def test_merged_cells_of_a_table_that_begins_further_right_hold_for_their_own_column(organization, member):
    rows = [["Name", "Company", "Phone", "Notes"], ["Ada", "Acme", "030 1111", "Tea"], ["Bo", None, "030 2222", "Milk"]]
    file = edited(lambda _book, sheet: (place(sheet, rows, 3, 2), sheet.merge_cells("C4:C5")))
    imported(member, file)
    assert stored(organization, "company, phone, notes") == [("Acme", "030 1111", "Tea"), ("Acme", "030 2222", "Milk")]


def hide(book, sheet):
    place(sheet, [["Name"], ["Choice"]])
    sheet.sheet_state = "hidden"
    place(book.create_sheet("People"), [["Name"], ["Ada"]])


def draw(book, sheet):
    place(sheet, [["Name"], ["Ada"]])
    book.create_chartsheet("Chart", 0).add_chart(openpyxl.chart.BarChart())


@pytest.mark.parametrize("edit", [hide, draw])
def test_the_first_sheet_is_the_first_that_a_person_sees_as_a_table(organization, member, edit):
    imported(member, edited(edit))
    assert stored(organization, "first_name") == [("Ada",)]


def test_a_hidden_sheet_is_imported_by_its_name(organization, member):
    imported(member, edited(hide), "?sheet=Leads")
    assert stored(organization, "first_name") == [("Choice",)]
