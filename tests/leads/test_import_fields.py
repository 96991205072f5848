"""Own fields in files of leads."""

import pytest

from tests.http.target import assert_problem
from tests.leads.csv_files import FORM, counts, exported, imported, multipart, send

FILE = (
    "Vorname;Nachname;E-Mail;Hall;ERP No.;Seats;Visited;Consent;Site;Topics;Ignored\n"
    "Ada;Brandt;ada@n.example;7b;0040;25;31.01.2026;ja;https://n.example;Price | Term;\n"
    "Bo;Lund;bo@l.example;8;0041;1.5;2026-02-01;nein;;;\n"
)
GUESSED = {
    "hall": "text",
    "erp_no": "text",
    "seats": "number",
    "visited": "date",
    "consent": "yes_no",
    "site": "url",
    "topics": "text",
}
ADA = {
    "hall": "7b",
    "erp_no": "0040",
    "seats": 25,
    "visited": "2026-01-31",
    "consent": True,
    "site": "https://n.example",
    "topics": "Price | Term",
}


def preview(api, content):
    form = multipart(content.encode())
    return api.request("POST", "/api/leads/import/preview", raw=form, headers={"Content-Type": FORM}, status=200).json


def field(admin, key, type="text", **more):
    return admin.post(
        "/api/fields", {"kind": "lead", "key": key, "label": key.title(), "type": type, **more}, status=201
    )


def values(member):
    return [lead["fields"] for lead in member.get("/api/leads?sort_by=created_at").json["data"]]


def test_a_preview_offers_fields_for_unknown_columns_and_an_admins_import_makes_them(admin, member):
    assert {one["key"]: one["type"] for one in preview(member, FILE)["new_fields"]} == GUESSED
    assert_problem(send(member, FILE, "?create_fields=true"), 403, "forbidden")
    assert imported(admin, FILE, "?create_fields=true&dry_run=true")["warnings"] == []
    assert member.get("/api/fields").json["total"] == 0
    assert imported(admin, FILE, "?create_fields=true")["warnings"] == []
    assert values(member)[0] == ADA
    assert preview(member, FILE)["new_fields"] == []


def test_a_column_is_named_by_key_by_label_or_by_the_mapping(admin, member):
    for key in ("hall", "stand"):
        field(admin, key)
    imported(member, "first_name,fields.hall,Stand\nAda,1,2\n")
    imported(member, "first_name,Booth\nBo,3\n", '?mapping={"Booth":"fields.stand"}')
    assert values(member) == [{"hall": "1", "stand": "2"}, {"stand": "3"}]
    refused = send(member, "first_name,Booth\nBo,3\n", '?mapping={"Booth":"fields.stond"}', status=422)
    assert refused.json["errors"][0]["name"] == "mapping.Booth"


def test_a_wrong_cell_is_left_out_with_a_warning_and_defaults_are_filled(admin, member):
    field(admin, "seats", "number", default=5)
    field(admin, "topics", "choices", options=["Price", "Term"])
    report = imported(member, "first_name,Seats,Topics\nAda,many,price; Term\nBo,,Moon\n")
    assert [(warning["row"], warning["column"]) for warning in report["warnings"]] == [
        (2, "fields.seats"),
        (3, "fields.topics"),
    ]
    assert values(member) == [{"seats": 5, "topics": ["Price", "Term"]}, {"seats": 5}]


def test_an_update_merges_the_filled_cells_of_own_fields(admin, member):
    for key in ("hall", "stand"):
        field(admin, key)
    head = "first_name,email,Hall,Stand\n"
    imported(member, head + "Ada,a@n.example,1,2\n")
    again = imported(member, head + "Ada,a@n.example,,3\nAda,a@n.example,4,\n", "?on_duplicate=update")
    assert (counts(again)[1], values(member)) == (2, [{"hall": "4", "stand": "3"}])
    imported(member, head + "Ada,a@n.example,5,\n", "?on_duplicate=update&blank=clear")
    assert values(member) == [{"hall": "5"}]
    assert imported(member, head + "Ada,a@n.example,5,\n", "?on_duplicate=update")["unchanged"] == 1


def test_a_text_that_a_spreadsheet_has_made_a_number_of_is_unchanged(admin, member):
    field(admin, "erp")
    field(admin, "hall")
    imported(member, "first_name,email,Erp,Hall\nAda,a@n.example,0040,007\n")
    again = imported(member, "first_name,email,Erp,Hall\nAda,a@n.example,40,8\n", "?on_duplicate=update")
    assert (again["updated"], values(member)) == (1, [{"erp": "0040", "hall": "8"}])


def test_an_export_has_a_column_for_each_field_and_its_import_changes_nothing(admin, member):
    imported(admin, FILE, "?create_fields=true")
    rows = exported(admin)
    assert [rows[0][f"fields.{key}"] for key in ADA] == [
        *("7b", "0040", "25", "2026-01-31", "true", "https://n.example", "Price | Term")
    ]
    content = admin.get("/api/leads/export").body
    assert imported(member, content, "?on_duplicate=update")["unchanged"] == 2
    assert b"fields.hall" in admin.get("/api/leads/template").body


@pytest.mark.parametrize(
    ("type", "cells", "value"),
    [
        ("date", ["31 Jan 2026", "Jan 31, 2026", "2026/1/31", "31/01/2026", "1/31/2026", "31-Jan-2026"], "2026-01-31"),
        ("date", ["1/2/2026", "31 Foo 2026", "2026-01-31 09:30"], None),
        ("yes_no", ["WAHR", "VRAI", "TAK", "Sim", "evet", "はい", "نعم", "checked", "✓"], True),
        ("yes_no", ["FALSCH", "falso", "nie", "não", "hayır", "いいえ", "لا"], False),
        ("number", ["1 234,50 zł", "R$ 1.234,50", "1.234,50 TL", "$1,234.50", "CHF 1'234.50", "1 234,5 €"], 1234.5),
        ("number", ["-1.234,50 €", "€ -1234.5", "-€1,234.50"], -1234.5),
        ("number", ["1,234", "12 kg", "5 - 7", "-"], None),
    ],
)
def test_a_cell_is_read_as_programs_and_countries_write_it(admin, member, type, cells, value):
    field(admin, "it", type)
    rows = "".join(f'Ada {number},"{cell}"\n' for number, cell in enumerate(cells))
    imported(member, f"first_name,It\n{rows}")
    assert values(member) == [{} if value is None else {"it": value}] * len(cells)


@pytest.mark.parametrize(
    ("header", "label"),
    [
        ("Ha\0ll", "Ha?ll"),
        ('"Hall\nNo."', "Hall No."),
        ("a\u202eb\x07", "a b"),
        ("Gro\u0308ße", "Größe"),
        ("x" * 300, "x" * 255),
        ("fields.hall", "hall"),
        ("Hall,HALL", "Hall"),
    ],
)
def test_a_column_makes_one_field_with_a_label_that_its_next_import_knows(admin, header, label):
    file = f"first_name,email,{header}\nAda,a@n.example,7b\n"
    for result in ("imported", "unchanged"):
        assert imported(admin, file, "?create_fields=true&on_duplicate=update")[result] == 1
    (made,) = admin.get("/api/fields").json["data"]
    assert (made["label"], values(admin)) == (label, [{made["key"]: "7b"}])
    admin.patch(f"/api/fields/{made['id']}", {"label": made["label"]}, status=200)


def test_a_column_without_a_visible_header_makes_no_field(admin):
    file = "first_name,\u200b\nAda,7b\n"
    assert [warning["code"] for warning in imported(admin, file, "?create_fields=true")["warnings"]] == [
        "unread_column"
    ]


def test_a_dry_run_refuses_more_fields_than_an_import_can_make(admin):
    file = f"first_name,{','.join(f'Column {number}' for number in range(101))}\nAda{',x' * 101}\n"
    for query in ("?create_fields=true", "?create_fields=true&dry_run=true"):
        assert_problem(send(admin, file, query), 409, "too_many_fields")
