import pytest

ADA = {
    "first_name": "Ada",
    "last_name": "Müller",
    "email": "ada@engine.example",
    "phone": "+49 30 555000",
    "company": "Engine GmbH",
}


@pytest.fixture
def lead(member):
    return member.post("/api/leads", ADA, status=201).json


@pytest.mark.parametrize(
    ("other", "reason"),
    [
        ({"first_name": "Someone", "email": "ADA@engine.example"}, "email"),
        ({"first_name": "Mueller", "last_name": "Ada", "phone": "+49 (0)30/555-000"}, "phone"),
        ({"first_name": "Ada", "phone": "0049 30 555000"}, "phone"),
        ({"first_name": "ada", "last_name": "Muller", "company": "ENGINE, Inc."}, "company"),
        ({"first_name": "Ada", "last_name": "Müller"}, None),
        ({"first_name": "Bernd", "phone": "+49 30 555000"}, None),
        ({"first_name": "Bernd", "company": "Engine GmbH"}, None),
        ({"first_name": "Ada", "last_name": "Müller", "company": "Motor"}, None),
    ],
)
def test_a_duplicate_has_the_address_or_the_name_with_phone_or_company(member, lead, other, reason):
    made = member.post("/api/leads", other, status=201).json
    assert made["duplicates"] == ([lead["id"]] if reason else [])
    found = member.get(f"/api/leads/{lead['id']}/duplicates", status=200).json
    assert [(one["id"], one["reason"]) for one in found["data"]] == ([(made["id"], reason)] if reason else [])


def test_the_address_of_a_role_makes_duplicates_of_agreeing_names_alone(member):
    ids = [
        member.post("/api/leads", {"first_name": name, "email": "info@firm.example"}, status=201).json["id"]
        for name in ("Anna", "Bernd", "Anna Maria")
    ]
    found = member.get(f"/api/leads/{ids[0]}/duplicates", status=200).json["data"]
    assert [one["id"] for one in found] == [ids[2]]


MANY = "select %s, 'Visitor', {} from generate_series(1, 250) as number"
INSERT = "insert into app.leads (organization_id, first_name, {}) "


@pytest.mark.parametrize(
    ("given", "column", "value", "total"),
    [
        ({"company": "Acme GmbH"}, "company", "'Acme, ' || (array['Inc.', 'Ltd'])[1 + mod(number, 2)]", 250),
        ({"email": "Pat@firm.example"}, "email", "'pat@firm.example'", 250),
        # Further leads are not compared.
        ({"email": "info@firm.example"}, "email", "'info@firm.example'", 200),
        ({"phone": "+49 30 555"}, "phone", "'0049 30 555'", 200),
    ],
)
def test_a_new_lead_names_a_hundred_of_many_duplicates(organization, member, owner, given, column, value, total):
    owner.execute(INSERT.format(column) + MANY.format(value), [organization.id])
    made = member.post("/api/leads", {"first_name": "Visitor", **given}, status=201).json
    assert len(set(made["duplicates"]) - {made["id"]}) == 100
    found = member.get(f"/api/leads/{made['id']}/duplicates", status=200).json
    assert found["total"] == total


@pytest.mark.parametrize(
    ("name", "other"),
    [("Jo-Ann Smith", "Joann Smith"), ("O’Brien Pat", "Pat OBrien"), ("Jo Ann", "Joann"), ("李小龙", "小龙李")],
)
def test_the_names_of_people_with_one_phone_number_agree_beyond_spelling(member, name, other):
    first = member.post("/api/leads", {"first_name": name, "phone": "030 555000"}, status=201).json
    made = member.post("/api/leads", {"first_name": other, "phone": "030555000"}, status=201).json
    assert made["duplicates"] == [first["id"]]


def test_duplicates_come_in_pages_and_of_no_other_organization(member, lead, new_organization):
    new_organization().insert("leads", **ADA)
    for _ in range(3):
        member.post("/api/leads", ADA, status=201)
    page = member.get(f"/api/leads/{lead['id']}/duplicates?per_page=2", status=200).json
    assert (len(page["data"]), page["total"]) == (2, 3)


def test_the_entity_tag_of_a_new_lead_is_that_of_its_record(member, lead):
    made = member.post("/api/leads", ADA, status=201)
    path = f"/api/leads/{made.json['id']}"
    assert member.get(path).headers["ETag"] == made.headers["ETag"]
    record = {name: value for name, value in made.json.items() if name != "duplicates"}
    assert member.get(path).json == record
