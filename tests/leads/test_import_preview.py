import pytest

from tests.leads.csv_files import FORM, multipart, send, stored

FILE = "Leads of the fair;;;\nVorname;Kunde;Größe;Mail\nAnna;Acme;43;anna@x.example\nBernd;;;\n;Beta;;\nEva;;;\n"


def previewed(api, content, query="", status=200):
    form, headers = multipart(content.encode()), {"Content-Type": FORM}
    return api.request("POST", f"/api/leads/import/preview{query}", raw=form, headers=headers, status=status).json


def test_a_preview_tells_how_a_file_is_read_and_stores_nothing(organization, member):
    told = previewed(member, FILE, '?mapping={"Kunde":"company"}')
    assert [tuple(column.values()) for column in told["columns"]] == [
        ("Vorname", "first_name", 3, ["Anna", "Bernd", "Eva"]),
        ("Kunde", "company", 2, ["Acme", "Beta"]),
        ("Größe", None, 1, ["43"]),
        ("Mail", "email", 1, ["anna@x.example"]),
    ]
    assert [told[name] for name in ("encoding", "delimiter", "header_row", "total")] == ["utf-8", ";", 2, 4]
    assert (told["ignored_columns"], stored(organization)) == (["Größe"], [])


def test_the_first_three_rows_are_shown_as_the_import_reads_them(organization, member):
    file = f'Name,Email,Owner\n"Meyer, Anna",ANNA@X.example,{member_of(organization)}\n,b@x.example,\n,,\n-,,"x"y\n'
    rows = previewed(member, file)["rows"]
    leads = [{name: value for name, value in row["lead"].items() if value} for row in rows[:2]]
    assert leads == [
        {
            "first_name": "Anna",
            "last_name": "Meyer",
            "email": "ANNA@x.example",
            "assigned_to": organization.users["member"],
        },
        {"first_name": "b", "email": "b@x.example"},
    ]
    assert (rows[2]["row"], rows[2]["lead"], "quote" in rows[2]["reason"]) == (5, None, True)


def member_of(organization):
    return f"member@{organization.name}.example"


@pytest.mark.parametrize("content", ["\n", "first_name\n" + "Pat\n" * 100_001])
def test_the_preview_refuses_the_files_that_the_import_refuses(member, content):
    assert previewed(member, content, status=422)["errors"] == send(member, content, status=422).json["errors"]
