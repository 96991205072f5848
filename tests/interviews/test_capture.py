"""Lead capture: a public form by its slug, and the lead of its answers."""

from concurrent.futures import ThreadPoolExecutor

import psycopg
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.interviews.captured import ANSWERS, QUESTIONS, THANKS, leads
from tests.interviews.captured import capture as capture
from tests.interviews.captured import path as path
from tests.interviews.captured import template as template


def test_the_form_holds_template_and_organization_and_nothing_else(organization, path, anonymous):
    form = anonymous.get(path, status=200)
    assert sorted(form.json) == ["hidden_fields", "organization", "template"]
    assert sorted(form.json["template"]) == [
        *("branding", "language", "languages", "name", "pages", "questions", "thank_you")
    ]
    assert form.json["organization"] == {"name": organization.name, "logo_url": None}
    assert "SECRET" not in form.text
    assert "hints" not in form.text


def test_submitting_creates_a_lead_and_answers_no_ids(organization, capture):
    answer = capture()
    assert answer.json == {"lead_created": True, "thank_you": THANKS}
    assert "Location" not in answer.headers
    (lead,) = leads(organization)
    assert (lead["first_name"], lead["last_name"]) == ("Ada King", "Lovelace")
    assert (lead["email"], lead["company"]) == ("ada@engine.example", "Engines Ltd")
    assert (lead["source"], lead["status"], lead["assigned_to"]) == ("interview", "new", None)
    assert (lead["created_by"], lead["created_by_kind"], lead["created_by_name"]) == (None, "prospect", None)


def test_the_rep_reads_answers_and_flags_where_those_of_invites_stand(organization, capture):
    capture({**ANSWERS, "compliance": ["gdpr", "hipaa"]})
    (lead,) = leads(organization)
    (invite,) = organization.member.get(f"/api/interview-invites?lead_id={lead['id']}", status=200).json["data"]
    responses = organization.member.get(f"/api/interview-invites/{invite['id']}/responses", status=200).json
    assert (invite["origin"], invite["status"], invite["recipient_name"]) == (
        "capture",
        "submitted",
        "Ada King Lovelace",
    )
    assert responses["answers"]["compliance"] == ["gdpr", "hipaa"]
    assert responses["rep_flags"] == ["high_compliance"]


@pytest.mark.parametrize("person", ["admin", "member"])
def test_the_lead_belongs_to_the_active_seat_of_the_link(organization, capture, person):
    capture(query=f"?r={organization.users[person]}")
    assert leads(organization)[0]["assigned_to"] == organization.users[person]


@pytest.mark.parametrize("r", ["nobody", "", "1.5", "9" * 23, "0", "%ff", "7%00", "inactive", "stranger", "twice"])
def test_a_wrong_link_does_not_cost_the_lead(organization, new_organization, capture, r):
    if r == "inactive":
        r = organization.users["inactive"]
    if r == "stranger":
        r = new_organization().users["admin"]
    if r == "twice":
        r = "{0}&r={0}".format(organization.users["member"])
    capture(query=f"?r={r}")
    assert leads(organization)[0]["assigned_to"] is None


@pytest.mark.parametrize("tracking", ["utm_source=x&utm_source=y", "gclid", "=", "q=%00", "q=%ff", "page=1"])
def test_what_else_a_link_carries_counts_for_nothing(organization, path, capture, anonymous, tracking):
    rep = organization.users["member"]
    anonymous.get(f"{path}?{tracking}&r={rep}", status=200)
    capture(query=f"?{tracking}&r={rep}")
    assert leads(organization)[0]["assigned_to"] == rep


@pytest.mark.parametrize("filled", ["https://spam.example", "spam " * 5000])
def test_a_filled_honeypot_gets_the_same_answer_and_stores_nothing(organization, capture, owner, filled):
    assert capture(website_confirm=filled).json == capture().json
    assert len(leads(organization)) == 1
    events = owner.execute("select count(*) from app.outbox where organization_id = %s", [organization.id])
    assert events.fetchone() == (1,)


def test_a_double_click_under_one_key_makes_one_lead(organization, path, anonymous):
    def click(_):
        return anonymous.post(f"{path}/submit", {"answers": ANSWERS}, headers={"Idempotency-Key": "click"})

    with ThreadPoolExecutor(10) as pool:
        answers = [*pool.map(click, range(10)), click(None)]
    assert {answer.json.get("code", answer.status_int) for answer in answers} <= {201, "idempotency_key_in_flight"}
    assert {answer.body for answer in answers if answer.status_int == 201} == {answers[-1].body}
    assert answers[-1].headers["Idempotency-Replayed"] == "true"
    assert len(leads(organization)) == 1


def test_each_form_has_keys_of_its_own(new_organization, anonymous):
    for organization in (new_organization(), new_organization()):
        template = organization.template(
            public_slug=organization.name,
            lead_capture_enabled=True,
            questions=[QUESTIONS[1]],
            pages=[{"key": "you", "title": "You", "questions": ["email"]}],
        )
        path = f"/api/public/interview/capture/{template['public_slug']}/submit"
        body = {"answers": {"email": "ada@engine.example"}}
        answer = anonymous.post(path, body, headers={"Idempotency-Key": "click"}, status=201)
        assert "Idempotency-Replayed" not in answer.headers


def test_answers_of_hidden_questions_do_not_reach_the_rep(organization, capture):
    capture({**ANSWERS, "officer": "Grace"})
    (invite,) = organization.member.get("/api/interview-invites", status=200).json["data"]
    responses = organization.member.get(f"/api/interview-invites/{invite['id']}/responses", status=200)
    assert "Grace" not in responses.text


@pytest.mark.parametrize(
    ("answers", "name"),
    [
        ({"email": "ada@engine.example"}, ("ada", None)),
        ({"email": "ada@engine.example", "your_name": "Ada"}, ("Ada", None)),
        ({"email": "ada@engine.example", "your_name": "Ada  Lovelace"}, ("Ada", "Lovelace")),
        ({"email": "ada@engine.example", "your_name": "A" * 255}, ("A" * 255, None)),
    ],
)
def test_the_name_of_the_lead(organization, capture, answers, name):
    capture(answers)
    (lead,) = leads(organization)
    assert (lead["first_name"], lead["last_name"]) == name


def test_a_text_longer_than_the_leads_field_is_cut_there_and_kept_whole_in_the_answers(organization, capture):
    capture({**ANSWERS, "company": "c" * 1000})
    (invite,) = organization.member.get("/api/interview-invites", status=200).json["data"]
    responses = organization.member.get(f"/api/interview-invites/{invite['id']}/responses", status=200).json
    assert leads(organization)[0]["company"] == "c" * 255
    assert responses["answers"]["company"] == "c" * 1000


def test_a_form_is_found_only_while_it_captures_leads(organization, template, path, anonymous):
    body = {key: template[key] for key in ("name", "slug", "pages", "questions", "public_slug")}
    organization.admin.put(f"/api/interview-templates/{template['id']}", body, status=200)
    anonymous.get(path, status=404)
    anonymous.post(f"{path}/submit", {"answers": ANSWERS}, status=404)
    anonymous.get("/api/public/interview/capture/no-such-form", status=404)


def test_the_response_can_be_opened_by_nobody_for_another_answer(organization, capture, anonymous):
    capture()
    (invite,) = organization.member.get("/api/interview-invites", status=200).json["data"]
    form = f"/api/public/interview/{invite['token']}"
    assert anonymous.patch(form, {"answers": {"your_name": "Eve"}}, status=409).json["code"] == "invite_submitted"


def test_a_response_belongs_to_no_lead_that_an_earlier_transaction_of_the_session_has_made(
    organization, template, wsgi
):
    forms = wsgi.registry.forms.of(organization.id).pool.conninfo
    with psycopg.connect(forms, prepare_threshold=None) as connection:
        as_form(connection, template)
        connection.execute("insert into app.leads (first_name, source) values ('Pat', 'interview')")
        (lead,) = connection.execute("select currval('app.leads_id_seq')").fetchone()
        connection.commit()
        as_form(connection, template)
        (version,) = connection.execute("select version_id from app.interview_templates").fetchone()
        with pytest.raises(psycopg.errors.InsufficientPrivilege):
            connection.execute(
                "insert into app.interview_invites (template_id, template_version_id, lead_id, origin, token, status, "
                "submitted_at) values (%s, %s, %s, 'capture', repeat('c', 64), 'submitted', now())",
                (template["id"], version, lead),
            )


def as_form(connection, template):
    """Give the connection's transaction the context of a capture form."""
    for name, value in (("organization_id", template["organization_id"]), ("template_id", template["id"])):
        connection.execute("select set_config('app.' || %s, %s, true)", (name, str(value)))
    connection.execute("set local role pipeline_public")


@settings(max_examples=25)
@given(st.fixed_dictionaries({}, optional={"your_name": st.text(max_size=255), "company": st.text(max_size=900)}))
def test_whatever_is_answered_makes_exactly_one_lead(organization, capture, owner, texts):
    storable = {key: text.encode(errors="ignore").decode().replace("\0", "") for key, text in texts.items()}
    before = count(owner, organization)
    capture({"email": "ada@engine.example", **storable})
    assert count(owner, organization) == before + 1


def count(owner, organization):
    """How many leads the organization has."""
    return owner.execute("select count(*) from app.leads where organization_id = %s", [organization.id]).fetchone()[0]


def test_what_a_lead_takes_on_one_line_is_put_on_one_line(organization, capture):
    capture({"email": "ada@engine.example", "company": "Engine\tWorks\nLtd"})
    lead = leads(organization)[0]
    assert lead["company"] == "Engine Works Ltd"
    body = {name: lead[name] for name in ("first_name", "company", "tags", "notes")}
    organization.member.put(f"/api/leads/{lead['id']}", body, status=200)
