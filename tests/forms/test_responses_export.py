import csv
import io

import openpyxl
import pytest
from openpyxl.utils.escape import unescape

from tests.interviews.language import condition, question, template
from tests.support import interview

OPTIONS = [{"value": value, "label": value.upper()} for value in "ab"]
FIRST = [
    question("note", label="Your note"),
    question("seats", "number", label="Seats", unit="kg"),
    question("gone", "multi_choice", label="Gone", options=OPTIONS, allow_other=True),
    question("terms", "consent", label="I *agree*"),
]
SECOND = [
    *FIRST[:2],
    question("grid", "matrix", label="Grid", rows=OPTIONS, columns=OPTIONS),
    question("place", "address", label="Place"),
    question("hidden", label="Hidden", visible_if=condition("note", "eq", "x")),
]


@pytest.fixture
def campaign(organization, anonymous):
    """A template of two versions, answered three times; the last answers are not submitted."""
    made = organization.template(**template(*FIRST), hidden_fields=["utm_source"])
    earlier = {"note": "=1+1", "seats": 2.5, "gone": ["b", "other"], "gone__other": "+Z", "terms": True}
    sent = f"{interview(organization.invite(made))}/submit?utm_source=%2Bfair"
    anonymous.post(sent, {"answers": earlier}, status=200)
    path = f"/api/interview-templates/{made['id']}"
    organization.admin.patch(path, template(*SECOND), status=200)
    later = {
        "note": "Ää",
        "grid": {"a": "b"},
        "hidden": "no",
        "place": {"street": "Way 1", "city": "Ulm", "country": "DE"},
    }
    anonymous.post(f"{interview(organization.invite(made))}/submit", {"answers": later}, status=200)
    anonymous.patch(interview(organization.invite(made)), {"answers": {"note": "begun"}}, status=200)
    return path


@pytest.fixture
def table(organization, campaign):
    """table(query=""): the rows of the CSV."""

    def read(query=""):
        answer = organization.admin.get(f"{campaign}/responses.csv{query}", status=200)
        return list(csv.DictReader(io.StringIO(answer.body.decode("utf-8-sig"), newline="")))

    return read


def test_a_row_holds_a_response_of_any_version_in_words(table):
    later, earlier = table()
    assert (later["version"], later["Grid: A"], later["Grid: B"], later["Hidden"]) == ("2", "B", "", "")
    assert (later["Place"], later["Your note"], later["Gone"]) == ("Way 1; Ulm; Germany", "Ää", "")
    assert (earlier["Your note"], earlier["Seats (kg)"], earlier["Gone"]) == ("'=1+1", "2.5", "B;' +Z")
    assert (earlier["I agree"], earlier["hidden.utm_source"], earlier["status"]) == ("Yes", "'+fair", "submitted")
    assert earlier["I agree (given_at)"].startswith(earlier["submitted_at"][:10])


def test_keys_give_the_stored_values(table):
    later, earlier = table("?values=keys")
    assert (later["place.country"], later["grid.a"], earlier["gone"]) == ("DE", "b", "b; other")
    assert (earlier["gone__other"], earlier["terms"], earlier["lead.email"]) == ("'+Z", "true", "pat@prospect.example")


def test_days_and_statuses_choose_responses(table):
    assert [row["note"] for row in table("?values=keys&status=started,pending")] == ["begun"]
    assert table("?to=2020-01-01") == table("?from=2999-01-01") == []
    assert len(table("?status=submitted,started&from=2020-01-01&to=2999-01-01")) == 3


def test_a_workbook_holds_the_same_with_numbers_and_without_formulas(organization, campaign):
    answer = organization.admin.get(f"{campaign}/responses.xlsx?values=keys", status=200)
    titles, _, earlier = openpyxl.load_workbook(io.BytesIO(answer.body)).active.iter_rows()
    cells = dict(zip((cell.value for cell in titles), earlier, strict=True))
    assert (cells["note"].value, cells["note"].data_type, cells["seats"].value) == ("=1+1", "s", 2.5)
    assert answer.headers["Content-Disposition"].endswith('.xlsx"')


TEXTS = [
    *("=1+1", "@SUM(A1)", "+49 30 1234", "-5", "{=1}", "0012", "1e5", "TRUE", "a\nb", "_x000D_", "'quoted'"),
    *('say "x"; a,b', "https://x.example/?a=1&b=2", "<b>a</b> &amp;", "😀" * 900, "שלום (1)"),
]


def test_each_text_reads_back_as_it_was_answered(organization, anonymous):
    made = organization.template(**template(question("note", "long_text", label="Note")))
    for text in TEXTS:
        sent = f"{interview(organization.invite(made))}/submit"
        anonymous.post(sent, {"answers": {"note": text}}, status=200)
    path = f"/api/interview-templates/{made['id']}/responses"
    answer = organization.admin.get(f"{path}.csv?values=keys", status=200).body.decode("utf-8-sig")
    lines = [row["note"].removeprefix("'") for row in csv.DictReader(io.StringIO(answer, newline=""))]
    book = openpyxl.load_workbook(io.BytesIO(organization.admin.get(f"{path}.xlsx?values=keys", status=200).body))
    titles, *rows = book.active.values
    cells = [unescape(row[titles.index("note")]) for row in rows]
    assert sorted(cells) == sorted(TEXTS)
    assert sorted(lines) == sorted(text.removeprefix("'") for text in TEXTS)


@pytest.mark.parametrize(
    ("query", "name"),
    [
        ("values=words", "values"),
        ("status=open", "status"),
        ("from=2026-02-30", "from"),
        ("to=yesterday", "to"),
        ("status=submitted,", "status"),
        ("page=2", "page"),
    ],
)
def test_an_export_refuses_what_it_cannot_read(organization, campaign, query, name):
    refused = organization.admin.get(f"{campaign}/responses.csv?{query}", status=422).json
    assert [one["name"] for one in refused["errors"]] == [name]


def test_an_unknown_template_has_no_responses_and_members_export_none(organization, campaign):
    organization.admin.get("/api/interview-templates/999999999/responses.csv", status=404)
    organization.member.get(f"{campaign}/responses.xlsx", status=403)
