import pytest

from tests.leads.csv_files import HEADER, counts, imported, results, send, stored, table
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
ZOE = "first_name,email,company\nZoë,zoe@x.example,Łódź 😀\n"
ALIASES = ("First Name,E-Mail,COMPANY NAME", "Forename,email address,organisation")


def violations(report):
    return [tuple(error[name] for name in ("row", "column", "code", "value")) for error in report["errors"]]


def test_the_rows_of_a_file_become_leads(organization, member):
    told = {"notes": "Likes tea", "tags": "a,b", "assigned_to": f"member@{organization.name}.example"}
    report = imported(member, table([{**PAT, **told}], HEADER.split(",")))
    ((id,),) = stored(organization, "id")
    nothing = dict.fromkeys(("ignored_columns", "warnings", "errors"), [])
    numbers = {
        "total": 1,
        "imported": 1,
        **dict.fromkeys(("updated", "unchanged", "skipped", "conflicts", "failed"), 0),
    }
    row = {"row": 2, "result": "created", "lead_id": id, "reason": None}
    file = {"dry_run": False, "encoding": "utf-8", "delimiter": ",", "rows": [row], "rows_url": None}
    assert report == {**file, **numbers, **nothing}
    kept = {**told, "email": "Pat@prospect.example", "tags": "a, b", "assigned_to": organization.users["member"]}
    lead = member.get(f"/api/leads/{id}", status=200).json
    assert lead.items() >= {**PAT, **kept}.items()


def test_blank_cells_stay_blank_and_source_and_status_take_their_defaults(organization, member):
    assert counts(imported(member, f"{HEADER}\nPat, ,,,,,,,,,\n")) == (1, 0, 0, 0)
    columns = "last_name, email, phone, company, notes, tags, assigned_to, source, status"
    assert stored(organization, columns) == [(None,) * 7 + ("import", "new")]


@pytest.mark.parametrize(
    "file",
    [
        *(f"\ufeff{ZOE}".encode(name) for name in ("utf-8", "utf-16-le", "utf-16-be")),
        *(ZOE.replace(",", sign) for sign in ",;\t|"),
        *(ZOE.replace("first_name,email,company", names) for names in ALIASES),
    ],
)
def test_encoding_delimiter_and_common_names_of_columns_are_understood(organization, member, file):
    imported(member, file)
    assert stored(organization, "first_name, email, company") == [("Zoë", "zoe@x.example", "Łódź 😀")]


@pytest.mark.parametrize("content", ["first_name\nPat\n".encode("utf-32"), b"first_name\nP\x00\x00\x01\x02at\n"])
def test_a_file_that_is_no_text_is_refused_and_nothing_is_stored(organization, member, content):
    assert send(member, content, status=422).json["code"] == "unsupported_encoding"
    assert stored(organization) == []


@pytest.mark.parametrize("begin", [b"PK\x03\x04\x14\x00", b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"], ids=["xlsx", "xls"])
def test_a_broken_or_old_workbook_is_refused_with_the_word_what_to_do(member, begin):
    refused = send(member, begin + b"first_name\nPat\n", status=422)
    assert (refused.json["code"], codes(refused)) == ("unsupported_file", [("file", "unsupported_file")])
    assert "Save it as XLSX or CSV" in refused.json["detail"]


def test_a_full_name_is_split_at_its_last_space_and_unknown_columns_are_listed(organization, member):
    report = imported(member, "Shoe size,Full Name,id\n43,Mary Ann Smith,7\n43,Cher,8\n43,\u200b,9\n")
    assert report["ignored_columns"] == ["Shoe size"]
    assert stored(organization, "first_name, last_name") == [("Mary Ann", "Smith"), ("Cher", None)]
    assert violations(report) == [(4, "first_name", "required", "")]


def test_a_bad_cell_is_left_out_and_named(organization, new_organization, member):
    seatless = [f"inactive@{organization.name}.example", f"member@{new_organization().name}.example"]
    rows = [
        "Pat,pat@,,",
        "Lee,,maybe,",
        "Ann,,,nobody@x.example",
        "Bob",
        *(f"Eve{email[0]},,,{email}" for email in seatless),
    ]
    report = imported(member, "\n".join(["first_name,email,status,assigned_to", *rows]))
    assert counts(report) == (6, 0, 0, 0)
    assert [tuple(warning[name] for name in ("row", "column", "code", "value")) for warning in report["warnings"]] == [
        (2, "email", "invalid_email", "pat@"),
        (3, "status", "invalid_choice", "maybe"),
        (4, "assigned_to", "unknown_reference", "nobody@x.example"),
        *((row, "assigned_to", "unknown_reference", email) for row, email in enumerate(seatless, 6)),
    ]


def test_a_row_without_a_usable_name_fails_and_the_others_are_stored(organization, member):
    report = imported(member, f"first_name,status\n{'x' * 256},\n,new\nK\0im,\nBob,\n")
    assert violations(report) == [
        (2, "first_name", "too_long", "x" * 200),
        (3, "first_name", "required", ""),
        (4, "first_name", "invalid_characters", "K?im"),
    ]
    assert results(report) == [(2, "failed"), (3, "failed"), (4, "failed"), (5, "created")]
    assert stored(organization, "first_name") == [("Bob",)]


def test_a_row_with_more_cells_than_the_header_fails_and_loses_nothing_silently(organization, member):
    report = imported(member, 'first_name,company\nAnn,Foo, Inc\nBen,Bar,\nCy,"Baz, Inc"\n')
    assert violations(report) == [(2, "", "too_many_cells", "Inc")]
    assert stored(organization, "first_name, company") == [("Ben", "Bar"), ("Cy", "Baz, Inc")]


def test_blank_rows_count_as_lines_but_not_as_rows(member):
    report = imported(member, "\n\nfirst_name,status\nPat,\n\n , \n,new\n")
    assert (report["total"], violations(report)) == (2, [(7, "first_name", "required", "")])


def test_a_thousand_results_are_listed_those_that_were_not_imported_first(member):
    report = imported(member, "first_name,status\n" + "Pat,\n" * 500 + ",new\n" * 1001, "?on_duplicate=create")
    assert (report["failed"], len(report["errors"]), len(report["rows"])) == (1001, 1000, 1000)
    assert {row["result"] for row in report["rows"]} == {"failed"}


def test_only_asked_results_are_listed(member):
    report = imported(member, "first_name,status\nPat,\n,new\nPat,\n", "?result=skipped,failed")
    assert results(report) == [(3, "failed"), (4, "skipped")]


def test_a_dry_run_answers_the_same_and_stores_nothing(organization, member):
    file = "first_name,email\nPat,pat@prospect.example\n,\nPat,PAT@prospect.example\n,kim\n"
    planned = imported(member, file, "?dry_run=true")
    assert (results(planned, "lead_id"), stored(organization)) == (
        [(2, "created", None), (4, "skipped", None), (5, "failed", None)],
        [],
    )
    report = imported(member, file)
    ids = [{**row, "lead_id": None} for row in report["rows"]]
    assert {**report, "dry_run": True, "rows": ids} == planned


@pytest.mark.parametrize(
    ("content", "code"),
    [
        ("phone\n030 1234\n", "missing_column"),
        ("first_name\n" + 'a"b"\n' * 10 + '"a"b\n' * 1_001, "invalid_csv"),
        ("first_name" + ",c" * 1_000 + "\nPat\n", "invalid_csv"),
        ("first_name" + "," * 400_000 + "\nPat\n", "invalid_csv"),
        ("\n", "missing_column"),
    ],
    ids=["no name", "a thousand stray quotes", "a column too many", "a header too long", "nothing"],
)
def test_a_file_that_is_no_table_of_leads_is_refused(member, content, code):
    assert [error["code"] for error in send(member, content, status=422).json["errors"]] == [code]


def test_a_file_has_a_thousand_columns_at_most(member):
    header = ",".join(["first_name", *(f"c{number}" for number in range(999))])
    assert imported(member, f"{header}\nPat\n")["imported"] == 1


def test_too_many_rows_or_bytes_are_refused(organization, member):
    assert send(member, b"x" * (25 * 1024 * 1024 + 1), status=413).json["code"] == "body_too_large"
    file = "first_name\n" + "Pat\n" * 100_001
    assert send(member, file, status=422).json["code"] == "too_many_rows"
    assert stored(organization) == []


def test_the_body_must_be_a_form_with_the_file(member):
    for content_type in ("application/json", "multipart/form-data"):
        send(member, "first_name\n", content_type=content_type, status=415)
    send(member, "first_name\n", content_type="multipart/form-data; boundary=other", status=400)
    send(member, "", status=422)
    assert codes(send(member, "first_name\n", field="csv")) == [("csv", "unknown_field"), ("file", "required")]
