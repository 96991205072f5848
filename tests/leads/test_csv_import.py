import pytest

from tests.leads.csv_files import HEADER, counts, imported, send, stored, table
from tests.support import codes

PAT = {
    "first_name": "Pat",
    "last_name": "Prospect",
    "email": "Pat@Prospect.example",
    "phone": "+49 30 1234",
    "company": "Prospect Ltd",
    "job_title": "Buyer",
    "source": "fair",
    "status": "contacted",
}


def violations(report):
    return [tuple(error[name] for name in ("row", "column", "code", "value")) for error in report["errors"]]


def test_the_rows_of_a_file_become_leads(organization, member):
    told = {"notes": "Likes tea", "tags": "a,b", "assigned_to": f"member@{organization.name}.example"}
    report = imported(member, table([{**PAT, **told}], HEADER.split(",")))
    ((id,),) = stored(organization, "id")
    nothing = dict.fromkeys(("updated_ids", "ignored_columns", "errors"), [])
    complete = {"dry_run": False, "ids_truncated": False, "errors_truncated": False}
    numbers = {"total": 1, "imported": 1, "updated": 0, "skipped": 0, "failed": 0}
    assert report == {**numbers, "imported_ids": [id], **nothing, **complete}
    kept = {**told, "email": "Pat@prospect.example", "tags": "a, b", "assigned_to": organization.users["member"]}
    lead = member.get(f"/api/leads/{id}", status=200).json
    assert lead.items() >= {**PAT, **kept}.items()


def test_blank_cells_stay_blank_and_source_and_status_take_their_defaults(organization, member):
    assert counts(imported(member, f"{HEADER}\nPat, ,,,,,,,,,\n")) == (1, 0, 0, 0)
    columns = "last_name, email, phone, company, notes, tags, assigned_to, source, status"
    assert stored(organization, columns) == [(None,) * 7 + ("import", "new")]


@pytest.mark.parametrize(
    ("encoding", "mark"), [("utf-8", ""), ("utf-8", "\ufeff"), ("utf-16-le", "\ufeff"), ("utf-16-be", "\ufeff")]
)
def test_utf_8_and_utf_16_are_read(organization, member, encoding, mark):
    imported(member, f"{mark}first_name,last_name\nZoë,Łukasz 😀\n".encode(encoding))
    assert stored(organization, "first_name, last_name") == [("Zoë", "Łukasz 😀")]


@pytest.mark.parametrize("encoding", ["latin-1", "utf-16-le", "utf-16-be", "utf-32"])
def test_another_encoding_is_refused_and_nothing_is_stored(organization, member, encoding):
    answer = send(member, "first_name,last_name\nPat,Known\nZoë,Müller\n".encode(encoding), status=422)
    assert answer.json["code"] == "unsupported_encoding"
    assert stored(organization) == []


@pytest.mark.parametrize("begin", [b"PK\x03\x04\x14\x00", b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"], ids=["xlsx", "xls"])
def test_a_workbook_is_refused_with_the_word_what_to_do(member, begin):
    refused = send(member, begin + b"first_name\nPat\n", status=422)
    assert (refused.json["code"], codes(refused)) == ("unsupported_file", [("file", "unsupported_file")])
    assert "Save it as CSV" in refused.json["detail"]


@pytest.mark.parametrize("delimiter", [",", ";", "\t", "|"])
def test_the_delimiter_is_found_in_the_header(organization, member, delimiter):
    imported(member, "first_name,email\nPat,pat@prospect.example\n".replace(",", delimiter))
    assert stored(organization, "first_name, email") == [("Pat", "pat@prospect.example")]


@pytest.mark.parametrize("header", ["E-Mail,First Name,COMPANY NAME", "email address,Forename,organisation"])
def test_common_names_of_columns_are_understood(organization, member, header):
    imported(member, f"{header}\npat@prospect.example,Pat,Prospect Ltd\n")
    assert stored(organization, "email, first_name, company") == [("pat@prospect.example", "Pat", "Prospect Ltd")]


def test_a_full_name_is_split_at_its_last_space(organization, member):
    report = imported(member, "Full Name,email\nMary Ann Smith,\nCher,\n\u200b,pat@prospect.example\n")
    assert stored(organization, "first_name, last_name") == [("Mary Ann", "Smith"), ("Cher", None)]
    assert violations(report) == [(4, "first_name", "required", "")]


def test_unknown_columns_are_ignored_and_listed(organization, member):
    report = imported(member, "Shoe size,first_name,id\n43,Pat,7\n")
    assert report["ignored_columns"] == ["Shoe size", "id"]
    assert stored(organization, "first_name") == [("Pat",)]


def test_bad_rows_are_named_and_the_good_ones_are_stored(organization, member):
    rows = ["Pat,pat@,,", ",kim@prospect.example,,", "Lee,,lost,", f"{'x' * 256},,,", "Ann,,,nobody@x.example", "Bob"]
    report = imported(member, "\n".join(["first_name,email,status,assigned_to", *rows, "K\0im"]))
    assert counts(report) == (1, 0, 0, 6)
    assert violations(report) == [
        (2, "email", "invalid_email", "pat@"),
        (3, "first_name", "required", ""),
        (4, "status", "invalid_choice", "lost"),
        (5, "first_name", "too_long", "x" * 200),
        (6, "assigned_to", "unknown_reference", "nobody@x.example"),
        (8, "first_name", "invalid_characters", "K\0im"),
    ]
    assert stored(organization, "first_name") == [("Bob",)]


def test_nobody_without_an_active_seat_here_can_be_assigned(organization, new_organization, member):
    people = [f"inactive@{organization.name}.example", f"member@{new_organization().name}.example"]
    report = imported(member, "first_name,assigned_to\n" + "".join(f"Pat,{email}\n" for email in people))
    assert [error[2] for error in violations(report)] == ["unknown_reference"] * 2


def test_a_row_with_more_cells_than_the_header_fails_and_loses_nothing_silently(organization, member):
    report = imported(member, 'first_name,company\nAnn,Foo, Inc\nBen,Bar,\nCy,"Baz, Inc"\n')
    assert violations(report) == [(2, "", "too_many_cells", " Inc")]
    assert stored(organization, "first_name, company") == [("Ben", "Bar"), ("Cy", "Baz, Inc")]


def test_blank_rows_count_as_lines_but_not_as_rows(member):
    report = imported(member, "\n\nfirst_name,status\nPat,\n\n , \nKim,lost\n")
    assert (report["total"], violations(report)) == (2, [(7, "status", "invalid_choice", "lost")])


@pytest.mark.parametrize(("rows", "truncated"), [(1000, False), (1001, True)])
def test_a_thousand_errors_are_listed_at_most(member, rows, truncated):
    report = imported(member, "first_name,status\n" + "Pat,lost\n" * rows)
    assert (report["failed"], len(report["errors"]), report["errors_truncated"]) == (rows, 1000, truncated)


def test_the_first_thousand_ids_are_listed(organization, member):
    report = imported(member, "first_name\n" + "Pat\n" * 1001, "?on_duplicate=create")
    ids = sorted(id for (id,) in stored(organization, "id"))
    assert (report["imported_ids"], report["ids_truncated"]) == (ids[:1000], True)


def test_a_dry_run_answers_the_same_and_stores_nothing(organization, member):
    file = "first_name,email\nPat,pat@prospect.example\nKim,kim@\nPat,PAT@prospect.example\n"
    planned = imported(member, file, "?dry_run=true")
    assert (planned["imported_ids"], counts(planned), stored(organization)) == ([], (1, 0, 1, 1), [])
    report = imported(member, file)
    assert report == {**planned, "dry_run": False, "imported_ids": report["imported_ids"]}
    assert len(report["imported_ids"]) == 1


@pytest.mark.parametrize(
    ("content", "code"),
    [
        ("email\npat@prospect.example\n", "missing_column"),
        ('first_name,notes\nPat,"never closed\n', "invalid_csv"),
        ("first_name" + ",c" * 1_000 + "\nPat\n", "invalid_csv"),
        ("first_name" + "," * 400_000 + "\nPat\n", "invalid_csv"),
        ("\n", "missing_column"),
    ],
    ids=["no name", "an open quote", "a column too many", "a header too long", "nothing"],
)
def test_a_file_that_is_no_table_of_leads_is_refused(member, content, code):
    assert [error["code"] for error in send(member, content, status=422).json["errors"]] == [code]


def test_a_file_has_a_thousand_columns_at_most(member):
    header = ",".join(["first_name", *(f"c{number}" for number in range(999))])
    assert imported(member, f"{header}\nPat\n")["imported"] == 1


def test_too_many_rows_are_refused(organization, member):
    file = "first_name\n" + "Pat\n" * 100_001
    assert send(member, file, status=422).json["code"] == "too_many_rows"
    assert stored(organization) == []


def test_a_file_that_is_too_large_is_refused(member):
    assert send(member, b"x" * (25 * 1024 * 1024 + 1), status=413).json["code"] == "body_too_large"


def test_the_body_must_be_a_form_with_the_file(member):
    for content_type in ("application/json", "multipart/form-data"):
        send(member, "first_name\n", content_type=content_type, status=415)
    send(member, "first_name\n", content_type="multipart/form-data; boundary=other", status=400)
    send(member, "", status=422)
    assert codes(send(member, "first_name\n", field="csv")) == [("csv", "unknown_field"), ("file", "required")]
