import re
from datetime import UTC, datetime, timedelta

import pytest

from pipeline.http.authentication import known_organization
from pipeline.http.security import secret_hash
from tests.isolation.cases import CASES
from tests.leads.csv_files import imported
from tests.support import Api, codes

KEYS, LEADS = "/api/api-keys", "/api/leads"
# The kinds of records that people and programs make.
MADE = (
    *("leads", "companies", "contacts", "deals", "deal-stages", "quotes", "configurations", "clauses", "teams"),
    *("configurator-definitions", "contract-templates", "contracts", "fields", "interview-templates"),
)


@pytest.fixture
def made(admin):
    return admin.post(KEYS, {"name": "CRM", "scopes": ["all"]}, status=201).json


@pytest.fixture
def program(anonymous, made):
    return holder(anonymous, made["key"])


def holder(api, key):
    return Api(api.app, Authorization=f"Bearer {key}")


def author(record):
    return [record[name] for name in ("created_by", "created_by_kind", "created_by_name")]


def path(made):
    return f"{KEYS}/{made['id']}"


def test_a_key_is_shown_once_and_only_its_hash_is_kept(admin, made, owner):
    assert re.fullmatch("pl_[0-9A-Za-z]{43}", made["key"])
    shown = {name: value for name, value in made.items() if name != "key"}
    assert admin.get(path(made), status=200).json == admin.get(f"{KEYS}?search=cr", status=200).json["data"][0] == shown
    assert shown["prefix"] == made["key"][:8]
    row = owner.execute("select to_jsonb(k)::text, key_hash from app.api_keys k where id = %s", [made["id"]]).fetchone()
    assert made["key"] not in row[0]
    assert row[1] == secret_hash(made["key"])


@pytest.mark.parametrize(
    ("body", "wrong"),
    [
        (
            {"expires_at": "2020-01-01T00:00:00Z", "role": "owner", "scopes": ["leads:all"]},
            [("expires_at", "in_the_past"), ("role", "invalid_choice"), ("scopes.0", "invalid_choice")],
        ),
        ({"prefix": "pl_00000", "scopes": []}, [("prefix", "unknown_field"), ("scopes", "required")]),
        ({"scopes": None}, [("scopes", "required")]),
        ({"scopes": ["all", "leads:read"]}, [("scopes", "conflict")]),
    ],
)
def test_each_violation_of_a_key_is_named(body, wrong, admin):
    assert sorted(codes(admin.post(KEYS, {"name": "CRM", "scopes": ["all"], **body}, status=422))) == wrong


def test_a_key_is_renamed_and_limited_and_without_a_word_of_its_end_lives_no_longer(admin, made, program):
    assert codes(admin.put(path(made), {"name": "ERP"}, status=422)) == [("scopes", "required")]
    body, end = {"name": "ERP", "scopes": ["leads:read"]}, "2099-01-31T09:30:00.000000Z"
    for change in ({"expires_at": end}, {}):
        changed = admin.put(path(made), {**body, **change}, status=200).json
        assert {**body, "expires_at": end}.items() <= changed.items()
        assert "key" not in changed
    assert admin.patch(path(made), {"name": "third"}, status=200).json["expires_at"] == end
    program.get(LEADS, status=200)
    program.post(LEADS, {"first_name": "Pat"}, status=403)
    for change in (admin.put, admin.patch):
        admin.patch(path(made), {"expires_at": end}, status=200)
        assert change(path(made), {**body, "expires_at": None}, status=200).json["expires_at"] is None


def test_a_key_keeps_its_role(admin, made):
    body = {"name": "ERP", "scopes": ["all"]}
    assert admin.put(path(made), {**body, "role": "member"}, status=200).json["role"] == "member"
    for change in (admin.put, admin.patch):
        assert change(path(made), {**body, "role": "admin"}, status=200).json["role"] == "member"


def test_the_web_server_knows_the_organization_of_valid_tokens_and_of_keys_in_use(wsgi, admin, organization, program):
    token, key = admin.headers["Authorization"], program.headers["Authorization"]
    assert known_organization(wsgi.registry, token) == organization.id
    assert known_organization(wsgi.registry, key) is None
    program.get(LEADS, status=200)
    assert known_organization(wsgi.registry, key) == organization.id
    for unknown in (None, "Basic eDp5", "Bearer nothing", token + "x", key[:-1]):
        assert known_organization(wsgi.registry, unknown) is None


def test_a_revoked_key_is_refused_with_the_next_request_and_gone_from_the_list(admin, made, program):
    program.get(LEADS, status=200)
    admin.delete(path(made), status=204)
    assert program.get(LEADS, status=401).headers["WWW-Authenticate"] == "Bearer"
    for method, body in (("GET", None), ("PUT", {"name": "ERP", "scopes": ["all"]}), ("DELETE", None)):
        admin.request(method, path(made), body, status=404)
    assert admin.get(KEYS).json["total"] == 0


@pytest.mark.parametrize("key", ["pl_", "pl_" + "a" * 42, "pl_" + "a" * 44, "pl_" + "a" * 42 + "-", "pl_" + "0" * 43])
def test_a_malformed_key_is_refused(anonymous, key):
    assert holder(anonymous, key).get(LEADS, status=401).json["code"] == "unauthenticated"


def test_a_key_stays_when_its_maker_leaves(organization, admin, anonymous):
    maker = f"/api/users/{organization.users['colleague']}"
    admin.put(maker, {"role": "admin"}, status=200)
    made = organization.colleague.post(KEYS, {"name": "CRM", "scopes": ["all"]}, status=201).json
    admin.delete(maker, status=204)
    holder(anonymous, made["key"]).get(LEADS, status=200)
    assert author(admin.get(path(made), status=200).json) == [None, "system", None]


def test_records_of_a_revoked_key_still_name_it(admin, member, made, program):
    lead = program.post(LEADS, {"first_name": "Pat"}, status=201).json["id"]
    note = program.post(f"{LEADS}/{lead}/notes", {"content": "Imported"}, status=201).json
    task = program.post(f"{LEADS}/{lead}/tasks", {"title": "Call"}, status=201).json
    assert author(note) == author(task) == [None, "key", "CRM"]
    admin.delete(path(made), status=204)
    notes = member.get(f"{LEADS}/{lead}/notes", status=200).json["data"]
    assert [entry["created_by_name"] for entry in notes] == ["CRM"]


def test_invites_tell_whether_a_key_a_person_or_a_prospect_made_them(organization, program, admin):
    template = organization.template()
    body = {"template_id": template["id"], "recipient_email": "pat@prospect.example"}
    program.post("/api/interview-invites", body, status=201)
    organization.invite(template)
    slug = organization.name
    organization.template(slug="form", lead_capture_enabled=True, public_slug=slug)
    answers = {"answers": {"product_line": "server"}}
    organization.anonymous.post(f"/api/public/interview/capture/{slug}/submit", answers, status=201)
    listed = admin.get("/api/interview-invites", status=200).json["data"]
    authors = {item["created_by_kind"]: item["created_by_name"] for item in listed}
    assert authors == {"key": "CRM", "user": "Member", "prospect": None}


@pytest.mark.parametrize("kind", MADE)
def test_a_record_tells_whether_a_user_or_a_key_created_it(organization, admin, kind):
    case, program = CASES["POST", f"/api/{kind}"], organization.key("all", role="admin")
    body = case.body(case.arrange(organization))
    made = program.post(f"/api/{kind}", body, status=201).json
    shown = admin.get(f"/api/{kind}?ids={made['id']}", status=200).json["data"]
    assert [author(record) for record in (made, *shown)] == [[None, "key", "CRM"]] * 2
    admin.delete(f"/api/{kind}/{made['id']}", status=204)
    assert author(admin.post(f"/api/{kind}", body, status=201).json) == [organization.users["admin"], "user", "Admin"]


def test_imported_leads_and_what_qualification_creates_tell_their_creator(organization, program):
    report = imported(program, "first_name,company\nPat,Engine GmbH\n")
    lead = program.get(f"{LEADS}/{report['rows'][0]['lead_id']}", status=200).json
    assert author(lead) == [None, "key", "CRM"]
    body = {"create_company": True, "create_deal": True}
    links = organization.member.post(f"{LEADS}/{lead['id']}/qualify", body, status=200).json
    for kind, field in (("companies", "company_id"), ("contacts", "contact_id"), ("deals", "deal_id")):
        made = organization.admin.get(f"/api/{kind}/{links[field]}", status=200).json
        assert author(made) == [organization.users["member"], "user", "Member"]


def test_a_key_is_nobodys_seat(organization, program):
    for person in ("member", None):
        organization.insert("leads", first_name="Pat", assigned_to=person and organization.users[person])
    totals = [program.get(f"{LEADS}?scope={scope}", status=200).json["total"] for scope in ("me", "team", "company")]
    assert totals == [0, 0, 2]
    assert program.get("/api/notifications", status=200).json["total"] == 0
    assert program.get(f"{LEADS}?date_from=2020-01-01", status=200).json["total"] == 2
    lead = program.post(LEADS, {"first_name": "Pat", "company": "Acme"}, status=201).json["id"]
    deal = program.post(f"{LEADS}/{lead}/qualify", {"create_deal": True}, status=200).json["deal_id"]
    assert program.get(f"/api/deals/{deal}", status=200).json["owner_id"] is None


def test_the_minute_of_its_last_use_is_noted_also_when_it_was_refused(admin, made, program):
    program.get(f"{LEADS}/1", status=404)
    noted = admin.get(path(made)).json
    minute = datetime.fromisoformat(noted["last_used_at"])
    assert minute.second == minute.microsecond == 0
    assert timedelta() <= datetime.now(UTC) - minute < timedelta(minutes=2)
    assert noted["updated_at"] == made["updated_at"]


def test_a_use_is_noted_once_in_a_minute_and_nobody_waits_for_it(organization, made, program, owner):
    with owner.transaction():
        of_it = (organization.id, made["id"])
        owner.execute("select from app.api_keys where organization_id = %s and id = %s for update", of_it)
        program.get(LEADS, status=200)
    program.get(LEADS, status=200)
    row = owner.execute("select last_used_at from app.api_keys where id = %s", [made["id"]]).fetchone()
    assert row == (None,)


def test_idempotency_keys_of_two_programs_are_apart(organization):
    header = {"Idempotency-Key": "one"}
    first, second = organization.key(), organization.key()
    answers = [api.post(LEADS, {"first_name": "Pat"}, headers=header, status=201) for api in (first, second, first)]
    assert answers[0].json == answers[2].json != answers[1].json
    assert [answer.headers.get("Idempotency-Replayed") for answer in answers] == [None, None, "true"]


def test_no_log_line_and_no_error_holds_a_key(made, program, anonymous, admin, capfd):
    program.get(LEADS, status=200)
    program.post(LEADS, {}, status=422)
    answers = [holder(anonymous, made["key"][:-1] + "-").get(LEADS, status=401), program.get("/api/users", status=403)]
    admin.delete(path(made), status=204)
    answers.append(program.get(LEADS, status=401))
    assert not any(made["key"][8:-1] in answer.text for answer in answers)
    assert made["key"][8:-1] not in "".join(capfd.readouterr())


def test_a_key_is_told_who_it_is(organization, admin):
    body = {"name": "ERP", "scopes": ["leads:read"], "expires_at": "2099-01-31T00:00:00Z"}
    made = admin.post(KEYS, body, status=201).json
    told = holder(admin, made["key"]).get("/api/auth/key", status=200).json
    assert {name: told[name] for name in ("id", "name", "prefix", "role", "scopes", "expires_at", "created_at")} == {
        name: made[name] for name in ("id", "name", "prefix", "role", "scopes", "expires_at", "created_at")
    }
    assert told["organization"] == admin.get("/api/auth/me", status=200).json["organization"]


@pytest.mark.parametrize("role", ["member", "admin"])
@pytest.mark.parametrize("scopes", [("all",), ("leads:read",), ("webhooks:write",)])
def test_any_scope_suffices_to_ask_who_a_key_is(organization, role, scopes):
    told = organization.key(*scopes, role=role).get("/api/auth/key", status=200).json
    assert (told["role"], told["scopes"]) == (role, list(scopes))


def test_a_person_has_no_key_to_ask_about(admin, anonymous):
    assert admin.get("/api/auth/key", status=403).json["code"] == "key_required"
    assert anonymous.get("/api/auth/key", status=401).json["code"] == "unauthenticated"


@pytest.mark.parametrize(
    ("query", "found"),
    [
        ("", ["admin", "colleague", "inactive", "member"]),
        ("?active=true", ["admin", "colleague", "member"]),
        ("?active=false", ["inactive"]),
        ("?search=coll", ["colleague"]),
        ("?email=MEMBER@{}.example", ["member"]),
        ("?email=nobody@{}.example", []),
        ("?sort_by=email", ["admin", "colleague", "inactive", "member"]),
        ("?after_id=0", ["admin", "member", "inactive", "colleague"]),
    ],
)
def test_a_program_maps_its_users_to_the_seats(organization, query, found):
    key = organization.key("records:read")
    seats = key.get(f"/api/seats{query.format(organization.name)}", status=200).json["data"]
    names = [next(name for name, id in organization.users.items() if id == seat["id"]) for seat in seats]
    assert sorted(names) == sorted(found)
    for seat in seats:
        assert key.get(f"/api/seats/{seat['id']}", status=200).json == seat
        assert seat.keys() == {"id", "organization_id", "email", "name", "active", "created_at", "updated_at"}
