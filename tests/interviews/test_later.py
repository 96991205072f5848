import dataclasses

import psycopg
import pytest

from pipeline.http.fairness import limits
from tests.forms.paper import Paper
from tests.http.counting import ADDRESSES
from tests.interviews.language import condition, question, template
from tests.support import held_up, interview

EMAIL = "ada@engine.example"


@pytest.fixture
def form(organization):
    pages = [{"key": "you", "questions": ["your_name"]}, {"key": "more", "questions": ["company"]}]
    body = template(question("your_name"), question("company"), pages=pages)
    organization.public_form(**body, hints={"lead_fields": {"name": "your_name"}})
    return f"/forms/capture/{organization.name}"


@pytest.fixture
def ask(form, anonymous):
    """ask(email): a prospect who answers the first question and asks for their link; the page that follows."""

    def press(email=EMAIL, query="", **typed):
        return Paper(anonymous.app, form + query).fill(your_name="Ada Lovelace", _email=email, **typed).press("later")

    return press


def test_the_link_comes_by_email_and_opens_what_was_answered(organization, post, anonymous, ask):
    page = ask()
    (invite,) = organization.invites()
    assert (page.state, invite["token"] in page.response.text) == ("later", False)
    assert (invite["origin"], invite["status"], invite["created_by_kind"]) == ("capture", "started", "prospect")
    (message,) = post.deliver(organization)
    assert (message["To"], message["Subject"]) == (EMAIL, "Your link: Qualification")
    assert invite["public_url"] in message.get_body(["plain"]).get_content()
    assert "Ada" not in message.as_string() + message.get_body(["html"]).get_content()
    assert Paper(anonymous.app, f"/forms/interview/{invite['token']}").step == "more"
    assert organization.leads() == []


def test_its_submit_makes_the_lead_of_the_reps_link_with_the_address_given(organization, post, anonymous, ask):
    ask(query=f"?r={organization.users['colleague']}")
    (invite,) = organization.invites()
    anonymous.post(f"{interview(invite)}/submit", {"answers": {"company": "Engines Ltd"}}, status=200)
    (lead,) = organization.leads()
    assert (lead["name"], lead["email"], lead["company"]) == ("Ada Lovelace", EMAIL, "Engines Ltd")
    assert (lead["source"], lead["assigned_to"]) == ("interview", organization.users["colleague"])
    assert (lead["created_by"], lead["created_by_kind"]) == (None, "prospect")
    assert organization.invites()[0]["lead_id"] == lead["id"]
    assert [message["To"].partition("@")[0] for message in post.deliver(organization)] == ["Colleague <colleague"]
    told = organization.colleague.get("/api/notifications", status=200).json["data"]
    assert [row["event"] for row in told] == ["lead_captured"]


def test_without_a_name_the_lead_has_that_of_the_address_given(organization, anonymous):
    organization.public_form(**template(question("wish"), pages=[{"key": "you", "questions": ["wish"]}]))
    Paper(anonymous.app, f"/forms/capture/{organization.name}").fill(wish="More", _email=EMAIL).press("later")
    anonymous.post(f"{interview(organization.invites()[0])}/submit", {}, status=200)
    assert [(lead["first_name"], lead["email"]) for lead in organization.leads()] == [("ada", EMAIL)]


def test_a_rep_who_loses_the_seat_while_it_is_sent_costs_no_lead(organization, owner, anonymous, ask):
    ask(query=f"?r={organization.users['colleague']}")
    path, lock = f"{interview(organization.invites()[0])}/submit", "lock table app.leads in access exclusive mode"
    held_up(owner, lock, (), lambda: anonymous.post(path, {}, status=200), lambda: organization.deactivate("colleague"))
    assert [lead["assigned_to"] for lead in organization.leads()] == [None]


def test_a_double_click_is_one_link_and_another_answer_another(anonymous, form, organization):
    page = Paper(anonymous.app, form)
    for name in ("Ada Lovelace", "Ada Lovelace", "Ada King"):
        sent = page.fill(your_name=name, _email=EMAIL).form_pairs("later")
        answer = anonymous.app.post(form + page.html.find("form")["action"], sent, status=303)
        assert answer.follow().html.body["data-state"] == "later"
    assert len(organization.invites()) == 2


@pytest.mark.parametrize("email", ["", "ada", "ada@engine.example\nBcc: x@y.example"])
def test_an_address_that_is_none_is_said_beside_it_and_what_was_typed_stays(ask, organization, email):
    page = ask(email)
    assert (page.response.status_int, page.state, page.value("your_name")) == (422, "step", "Ada Lovelace")
    assert page.errors() == {"later": "Enter an email address such as name@example.com for “Email address”."}
    assert page.html.details.has_attr("open")
    assert organization.invites() == []


BEYOND = {
    "the address": (["a@x.example"] * 6 + ["b@x.example"], 6, "This address has been sent as many links as"),
    "the organization": ([f"{number}@x.example" for number in range(9)], 8, "We cannot email any more links today."),
}


@pytest.mark.parametrize("of", BEYOND)
def test_a_link_beyond_a_quota_is_not_promised_and_what_was_typed_stays(
    ask, anonymous, organization, wsgi, monkeypatch, of
):
    # Other tests have spent the limit of their own address.
    monkeypatch.setitem(anonymous.app.extra_environ, "REMOTE_ADDR", next(ADDRESSES))
    emails, most, sentence = BEYOND[of]
    settings = dataclasses.replace(wsgi.registry.pipeline, rate_limit_factor=1, mail_quota_per_day=8)
    monkeypatch.setattr(wsgi.registry, "pipeline", settings)
    pages = [ask(email) for email in emails]
    refused = [page for page in pages if page.state == "step"]
    assert (len(refused), len(organization.invites())) == (1, most)
    assert (refused[0].response.status_int, refused[0].value("your_name")) == (422, "Ada Lovelace")
    assert refused[0].errors()["later"].startswith(sentence)


def test_links_beyond_twenty_a_minute_leave_one_after_another(ask, anonymous, organization, owner, wsgi, monkeypatch):
    monkeypatch.setitem(anonymous.app.extra_environ, "REMOTE_ADDR", next(ADDRESSES))
    monkeypatch.setattr(wsgi.registry, "pipeline", dataclasses.replace(wsgi.registry.pipeline, rate_limit_factor=1))
    monkeypatch.setattr(limits, "LINKS_AT_ONCE", limits.LINKS_AT_ONCE._replace(quota=1))
    for number in range(3):
        ask(f"{number}@x.example")
    waits = "select due_at > created_at from app.outbox where organization_id = %s order by id"
    assert owner.execute(waits, [organization.id]).fetchall() == [(False,), (True,), (True,)]


def test_where_no_question_is_shown_the_form_says_so(organization, anonymous):
    hidden = condition("campaign", "eq", "fair")
    pages = [{"key": "needs", "questions": ["product_line", "seats", "notes"], "visible_if": hidden}]
    organization.public_form(hidden_fields=["campaign"], pages=pages)
    asked = {"_go": "later", "_step": "needs", "_email": "ada"}
    page = anonymous.app.post(f"/forms/capture/{organization.name}", asked, status=303).follow()
    assert page.html.body["data-state"] == "review"


def test_the_prospects_side_links_no_lead_but_the_one_it_has_made(organization, login_url, ask):
    ask()
    lead = organization.insert("leads", first_name="Else")
    with psycopg.connect(login_url("pipeline_forms")) as connection:
        connection.execute("select set_config('app.organization_id', %s, true)", [str(organization.id)])
        connection.execute("select set_config('app.invite_token', %s, true)", [organization.invites()[0]["token"]])
        connection.execute("set local role pipeline_public")
        with pytest.raises(psycopg.errors.InsufficientPrivilege):
            connection.execute("update app.interview_invites set lead_id = %s", [lead])
