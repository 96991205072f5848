import psycopg
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.interviews.conftest import ANSWERS, THANKS
from tests.support import held_up, interview

RENEW = """
insert into app.interview_template_versions (organization_id, template_id, version, thank_you, name, pages, questions,
    branding, hints, field_map)
select organization_id, template_id, version + 1, '{"title": "Renewed"}', name, pages, questions, branding, hints,
    field_map
from app.interview_template_versions where organization_id = %s and template_id = %s
returning id"""


def test_the_form_holds_template_and_organization_and_nothing_else(organization, path, anonymous):
    shown = anonymous.get(path, status=200)
    assert shown.json.keys() == {"hidden_fields", "organization", "template"}
    assert shown.json["template"].keys() == {
        *("branding", "language", "languages", "name", "pages", "questions", "thank_you")
    }
    assert shown.json["organization"] == {"name": organization.name, "logo_url": None}
    assert "SECRET" not in shown.text


def test_submitting_creates_a_lead_and_answers_no_ids(organization, capture):
    answer = capture()
    assert answer.json == {"lead_created": True, "thank_you": THANKS}
    assert "Location" not in answer.headers
    (lead,) = organization.leads()
    assert (lead["first_name"], lead["last_name"], lead["company"]) == ("Ada King", "Lovelace", "Engines Ltd")
    assert (lead["status"], lead["assigned_to"], lead["created_by_name"]) == ("new", None, None)


def test_the_rep_reads_answers_and_flags_where_those_of_invites_stand_and_nobody_answers_again(
    organization, capture, anonymous
):
    capture({**ANSWERS, "compliance": ["gdpr", "hipaa"]})
    (lead,) = organization.leads()
    (invite,) = organization.member.get(f"/api/interview-invites?lead_id={lead['id']}", status=200).json["data"]
    assert (invite["origin"], invite["status"]) == ("capture", "submitted")
    assert invite["recipient_name"] == "Ada King Lovelace"
    responses = organization.responses(invite)
    assert responses["answers"]["compliance"] == ["gdpr", "hipaa"]
    assert responses["rep_flags"] == ["high_compliance"]
    again = anonymous.patch(interview(invite), {"answers": {"your_name": "Eve"}}, status=409)
    assert again.json["code"] == "invite_submitted"


@pytest.mark.parametrize("tracking", ["", "utm_source=x&utm_source=y&", "gclid&", "=&", "q=%00&", "q=%ff&", "page=1&"])
def test_the_lead_belongs_to_the_active_seat_of_the_link_whatever_else_that_carries(
    organization, path, capture, anonymous, tracking
):
    query = f"?{tracking}r={organization.users['member']}"
    anonymous.get(path + query, status=200)
    capture(query=query)
    assert organization.leads()[0]["assigned_to"] == organization.users["member"]


def test_a_wrong_link_does_not_cost_the_lead(organization, new_organization, capture):
    member, inactive = organization.users["member"], organization.users["inactive"]
    wrong = ["nobody", "", "1.5", "9" * 23, "0", "%ff", "7%00", f"{member}&r={member}", inactive]
    for r in [*wrong, new_organization().users["admin"]]:
        capture(query=f"?r={r}")
    assert [lead["assigned_to"] for lead in organization.leads()] == [None] * 10


@pytest.mark.parametrize("filled", ["https://spam.example", "spam " * 5000])
def test_a_filled_honeypot_gets_the_same_answer_and_stores_nothing(organization, capture, filled):
    assert capture(website_confirm=filled).json == capture().json
    stored = organization.rows()
    assert (len(stored["leads"]), len(stored["outbox"])) == (1, 1)


def test_each_form_has_keys_of_its_own(new_organization, anonymous):
    for organization in (new_organization(), new_organization()):
        path = f"/api/public/interview/capture/{organization.public_form()['public_slug']}/submit"
        body = {"answers": {"product_line": "server"}}
        answer = anonymous.post(path, body, headers={"Idempotency-Key": "click"}, status=201)
        assert "Idempotency-Replayed" not in answer.headers


@pytest.mark.parametrize(
    ("answers", "name"),
    [
        ({}, ("ada", None)),
        ({"your_name": "Ada"}, ("Ada", None)),
        ({"your_name": "Ada  Lovelace"}, ("Ada", "Lovelace")),
        ({"your_name": "A" * 255}, ("A" * 255, None)),
    ],
)
def test_the_name_of_the_lead(organization, capture, answers, name):
    capture({"email": "ada@engine.example", **answers})
    (lead,) = organization.leads()
    assert (lead["first_name"], lead["last_name"]) == name


@pytest.mark.parametrize(
    ("given", "kept"), [("c" * 1000, "c" * 255), ("Engine\tWorks\nLtd", "Engine Works Ltd")], ids=["long", "lines"]
)
def test_a_text_that_the_leads_field_cannot_take_is_made_to_fit_and_kept_whole_in_the_answers(
    given, kept, organization, capture
):
    capture({**ANSWERS, "company": given})
    (lead,) = organization.leads()
    assert lead["company"] == kept
    assert organization.responses()["answers"]["company"] == given
    body = {name: lead[name] for name in ("first_name", "company", "tags", "notes")}
    organization.member.put(f"/api/leads/{lead['id']}", body, status=200)


def test_a_form_is_found_only_while_it_captures_leads(organization, form, path, anonymous):
    organization.admin.patch(f"/api/interview-templates/{form['id']}", {"lead_capture_enabled": False}, status=200)
    anonymous.get(path, status=404)
    anonymous.post(f"{path}/submit", {"answers": ANSWERS}, status=404)
    anonymous.get("/api/public/interview/capture/no-such-form", status=404)


def test_a_response_belongs_to_no_lead_that_an_earlier_transaction_of_the_session_has_made(organization, form, wsgi):
    forms = wsgi.registry.forms.of(organization.id).pool.conninfo
    with psycopg.connect(forms, prepare_threshold=None) as connection:

        def enter():
            for name, value in (("organization_id", organization.id), ("template_id", form["id"])):
                connection.execute("select set_config('app.' || %s, %s, true)", (name, str(value)))
            connection.execute("set local role pipeline_public")

        enter()
        connection.execute("insert into app.leads (first_name, source) values ('Pat', 'interview')")
        (lead,) = connection.execute("select currval('app.leads_id_seq')").fetchone()
        connection.commit()
        enter()
        (version,) = connection.execute("select version_id from app.interview_templates").fetchone()
        response = (
            "insert into app.interview_invites (template_id, template_version_id, lead_id, origin, token, status, "
            "submitted_at) values (%s, %s, %s, 'capture', repeat('c', 64), 'submitted', now())"
        )
        with pytest.raises(psycopg.errors.InsufficientPrivilege):
            connection.execute(response, (form["id"], version, lead))


@settings(max_examples=25)
@given(st.fixed_dictionaries({}, optional={"your_name": st.text(max_size=255), "company": st.text(max_size=900)}))
def test_whatever_is_answered_makes_exactly_one_lead(organization, capture, texts):
    storable = {key: text.encode(errors="ignore").decode().replace("\0", "") for key, text in texts.items()}
    before = organization.admin.get("/api/leads", status=200).json["total"]
    capture({"email": "ada@engine.example", **storable})
    assert organization.admin.get("/api/leads", status=200).json["total"] == before + 1


@pytest.fixture
def while_captured(capture, owner):
    """while_captured(change, table, **capture): the answer to a form that waits for a table during `change()`."""

    def capturing(change, table="app.leads", **options):
        lock = f"lock table {table} in access exclusive mode"
        return held_up(owner, lock, (), lambda: capture(**options), meanwhile=change)

    return capturing


def test_a_form_that_is_changed_while_it_is_sent_costs_no_lead(organization, form, while_captured):
    changed = {"thank_you": {"title": "Thanks again"}}
    path = f"/api/interview-templates/{form['id']}"
    answer = while_captured(lambda: organization.admin.patch(path, changed, status=200))
    assert answer.json["thank_you"]["title"] == "Thanks again"
    assert len(organization.leads()) == 1


def test_a_form_that_is_changed_before_its_version_is_read_costs_no_lead_and_no_invite(
    organization, form, while_captured, anonymous, owner
):
    def renew():
        (version,) = owner.execute(RENEW, [organization.id, form["id"]]).fetchone()
        owner.execute("update app.interview_templates set version_id = %s where id = %s", [version, form["id"]])

    invite = organization.invite(form)
    assert while_captured(renew, "app.interview_template_versions").json["thank_you"] == {"title": "Renewed"}
    assert len(organization.leads()) == 1
    anonymous.post(f"{interview(invite)}/submit", {"answers": ANSWERS}, status=200)


def test_a_form_that_is_deleted_while_it_is_sent_is_not_found(organization, form, while_captured):
    path = f"/api/interview-templates/{form['id']}"
    while_captured(lambda: organization.admin.delete(path, status=204), status=404)
    assert organization.leads() == []


def test_a_rep_who_loses_the_seat_while_the_form_is_sent_costs_no_lead(organization, while_captured, owner):
    while_captured(organization.deactivate_seats, query=f"?r={organization.users['member']}")
    assigned = owner.execute("select assigned_to from app.leads where organization_id = %s", [organization.id])
    assert assigned.fetchall() == [(None,)]
