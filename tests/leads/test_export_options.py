import pytest

from tests.leads.csv_files import imported, stored
from tests.support import codes


def lines(admin, query):
    return admin.get(f"/api/leads/export{query}", status=200).body.decode("utf-8-sig").splitlines()


@pytest.fixture
def leads(organization, member):
    def add(**fields):
        return member.post("/api/leads", {"first_name": "Anna", **fields}, status=201).json["id"]

    return [add(source="Fair", notes="a;b|c,d"), add(source="FAIR", assigned_to=organization.users["member"]), add()]


@pytest.mark.parametrize(("word", "sign"), [(",", ","), (";", ";"), ("|", "|"), ("tab", "\t")])
def test_an_export_has_the_delimiter_that_is_asked_for(organization, admin, leads, word, sign):
    header, *rows = lines(admin, f"?delimiter={word.replace(';', '%3B')}")
    assert (header.split(sign)[:2], len(rows)) == (["id", "created_at"], 3)
    body = admin.get(f"/api/leads/export?delimiter={word.replace(';', '%3B')}").body
    assert imported(admin, body, "?on_duplicate=update")["unchanged"] == 3


def test_an_export_has_the_leads_that_are_asked_for(admin, leads):
    assert [line.split(",")[0] for line in lines(admin, f"?ids={leads[0]},{leads[2]}")[1:]] == [
        str(leads[0]),
        str(leads[2]),
    ]


@pytest.mark.parametrize(
    ("query", "places"),
    [
        ("assigned_to=none", [0, 2]),
        ("assigned_to=none&source=fair", [0]),
        ("assigned_to=none&scope=me", []),
        ("source=fAiR", [0, 1]),
        ("source=other", []),
    ],
)
def test_leads_of_nobody_and_sources_in_any_case_are_found(member, leads, query, places):
    found = member.get(f"/api/leads?{query}&sort_by=created_at", status=200).json
    assert ([lead["id"] for lead in found["data"]], found["total"]) == ([leads[place] for place in places], len(places))


@pytest.mark.parametrize(
    ("query", "places"),
    [
        ("assigned_to=none", [0, 2]),
        ("source=FAIR", [0, 1]),
        ("status=new,contacted", [0, 1, 2]),
        ("status=qualified", []),
        ("search=anna&assigned_to=none&source=fair", [0]),
        ("ids={0},{0},9000000", [0]),
        ("ids={1}&assigned_to=none", []),
        ("scope=me", []),
    ],
)
def test_an_export_takes_the_filters_of_the_list(admin, leads, query, places):
    asked = "?" + query.format(*leads)
    assert [line.split(",")[0] for line in lines(admin, asked)[1:]] == [str(leads[place]) for place in places]


@pytest.mark.parametrize(
    ("query", "name"),
    [
        ("delimiter=semicolon", "delimiter"),
        ("ids=1,x", "ids"),
        ("ids=" + ",".join(map(str, range(1, 202))), "ids"),
        ("assigned_to=nobody", "assigned_to"),
        ("date_from=31.01.2026", "date_from"),
        ("page=1", "page"),
    ],
)
def test_an_export_refuses_other_words(admin, query, name):
    refused = admin.get(f"/api/leads/export?{query}", status=422).json
    assert [error["name"] for error in refused["errors"]] == [name]


@pytest.mark.parametrize("path", ["/api/leads", "/api/leads/export"])
def test_days_in_the_wrong_order_are_refused(admin, path):
    refused = admin.get(f"{path}?date_from=2026-02-01&date_to=2026-01-31", status=422)
    assert codes(refused) == [("date_to", "conflict")]
    admin.get(f"{path}?date_from=2026-02-01&date_to=2026-02-01", status=200)


def test_two_people_with_the_address_of_a_role_are_two_leads(organization, member):
    file = "first_name,last_name,email\nAnna,Meyer,info@sm.example\n"
    imported(member, file)
    imported(member, "first_name,last_name,email\nBernd,Kurz,INFO@sm.example\n")
    assert stored(organization, "first_name") == [("Anna",), ("Bernd",)]
    for mode in ("skip", "update"):
        assert imported(member, file, f"?on_duplicate={mode}")["imported"] == 0


def test_a_domain_is_exported_as_people_read_it_and_comes_back_unchanged(admin, member):
    lead = member.post("/api/leads", {"first_name": "Ute", "email": "ute@xn--mller-kva.example"}, status=201).json
    body = admin.get("/api/leads/export", status=200).body
    assert "ute@müller.example" in body.decode()
    assert imported(admin, body, "?on_duplicate=update")["unchanged"] == 1
    told = admin.get(f"/api/leads/{lead['id']}/personal-data", status=200).json
    assert told["leads"][0]["email"] == "ute@müller.example"
