"""Export of leads as CSV, and its way back."""

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.leads.csv_files import HEADER, counts, exported, imported, stored

TEXT = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), min_size=1, max_size=12)
NASTY = st.sampled_from([
    "=1+1", "'=1", "''=1", "'", "'x", "+1", "-1", "@a", '"', '""', "a,b;c", "a\nb", "a\r\nb", "a\rb", "\\.", "\\N",
    "null", "é", "e\u0301", "😀",
])
CELL = st.one_of(NASTY, TEXT)
LEAD = st.fixed_dictionaries(
    {"first_name": CELL},
    optional={name: CELL for name in ("last_name", "phone", "company", "job_title", "notes", "tags", "source")}
    | {"email": st.sampled_from(["a@x.example", "b@x.example", "+a@x.example"]), "status": st.just("contacted")},
)


def test_the_template_is_the_header_alone(admin):
    answer = admin.get("/api/leads/template", status=200)
    assert answer.body == b"\xef\xbb\xbf" + HEADER.encode() + b"\r\n"
    assert answer.headers["Content-Disposition"] == 'attachment; filename="leads-template.csv"'


def test_every_lead_is_a_line_of_the_export(organization, admin):
    lead = admin.post("/api/leads", {
        "first_name": "Pat", "email": "pat@x.example", "notes": 'Said "no"\nand left', "status": "contacted",
        "assigned_to": organization.users["member"],
    }, status=201).json
    answer = admin.get("/api/leads/export", status=200)
    assert answer.content_type == "text/csv"
    assert answer.body.decode("utf-8-sig") == (
        f"id,created_at,updated_at,{HEADER}\r\n"
        f"{lead['id']},{lead['created_at']},{lead['updated_at']},Pat,,pat@x.example,,,,manual,contacted,"
        f'"Said ""no""\nand left",,member@{organization.name}.example\r\n'
    )


@pytest.mark.parametrize("text", ["=1+1", "+49 30", "-1", "@x", "'=1", "''+"])
def test_no_cell_is_a_formula(admin, text):
    admin.post("/api/leads", {"first_name": text, "phone": text}, status=201)
    assert [(row["first_name"], row["phone"]) for row in exported(admin)] == [(f"'{text}", f"'{text}")]


@pytest.mark.parametrize("text", ["1+1", "'x", "a=b", "'"])
def test_other_texts_stay_as_they_are(admin, text):
    admin.post("/api/leads", {"first_name": text}, status=201)
    assert exported(admin)[0]["first_name"] == text


@pytest.mark.parametrize(("query", "names"), [
    ("?status=contacted", ["Ann"]), ("?search=bob", ["Bob"]), ("?source=web", ["Bob"]), ("?scope=me", ["Ann"]),
    ("?date_to=1999-12-31", []), ("", ["Ann", "Bob"]),
])
def test_the_export_takes_the_filters_of_the_list(organization, admin, query, names):
    me = organization.users["admin"]
    admin.post("/api/leads", {"first_name": "Ann", "status": "contacted", "assigned_to": me}, status=201)
    admin.post("/api/leads", {"first_name": "Bob", "source": "web"}, status=201)
    assert [row["first_name"] for row in exported(admin, query)] == names


def test_an_unknown_filter_is_refused(admin):
    admin.get("/api/leads/export?colour=red", status=422)


@pytest.mark.parametrize("path", ["/api/leads/export", "/api/leads/template"])
def test_only_admins_get_the_files(member, path):
    member.get(path, status=403)


def test_another_organizations_leads_are_not_exported(new_organization):
    first, second = new_organization(), new_organization()
    first.admin.post("/api/leads", {"first_name": "Secret"}, status=201)
    assert exported(second.admin) == []


def test_a_client_that_accepts_no_csv_is_told_so(admin):
    admin.get("/api/leads/export", headers={"Accept": "image/png"}, status=406)


def test_a_reader_that_hangs_up_frees_the_connection(organization, admin, wsgi):
    organization.owner.execute(
        "insert into app.leads (organization_id, first_name) select %s, 'Pat' from generate_series(1, 20000)",
        (organization.id,),
    )
    for _ in range(30):  # more often than the pool has connections
        app_iter = admin.app.app({**environ(admin), "PATH_INFO": "/api/leads/export"}, lambda *_: None)
        next(iter(app_iter))
        app_iter.close()
    assert len(exported(admin)) == 20_000


def environ(api):
    """The WSGI environment of a GET request."""
    return api.app.RequestClass.blank("/", headers=api.headers).environ


@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(leads=st.lists(st.tuples(LEAD, st.sampled_from(["member", "colleague", None])), max_size=6))
def test_importing_ones_own_export_changes_nothing(new_organization, leads):
    organization = new_organization()
    for lead, person in leads:
        organization.member.post("/api/leads", {**lead, "assigned_to": organization.users.get(person)}, status=201)
    organization.deactivate("colleague")
    before = stored(organization, "to_jsonb(leads)")
    export = organization.admin.get("/api/leads/export").body
    for mode in ("skip", "update"):
        report = imported(organization.member, export, f"?on_duplicate={mode}")
        assert counts(report) == (0, 0, len(before), 0)
        assert stored(organization, "to_jsonb(leads)") == before


@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(leads=st.lists(LEAD, max_size=6))
def test_an_export_imported_elsewhere_gives_the_same_leads(new_organization, leads):
    first, second = new_organization(), new_organization()
    for lead in leads:
        first.member.post("/api/leads", lead)
    imported(second.member, first.admin.get("/api/leads/export").body, "?on_duplicate=create")
    columns = "first_name, last_name, email, phone, company, job_title, source, status, notes, tags"
    assert stored(second, columns) == stored(first, columns)
