"""The hidden fields of a form in the record of its lead, as the change feed includes it."""

from urllib.parse import quote

import pytest

from tests.support import interview

FIELDS = ["utm_source", "utm_medium", "campaign"]


@pytest.fixture
def form(organization):
    return organization.public_form(hidden_fields=FIELDS)


@pytest.fixture
def capture(anonymous, form):
    """capture(query): submits the public form."""
    path = f"/api/public/interview/capture/{form['public_slug']}/submit"
    body = {"answers": {"product_line": "server"}}
    return lambda query="": anonymous.post(f"{path}?{query}", body, status=201)


@pytest.fixture
def hidden(feed):
    """hidden(start, client): the hidden fields of the leads in the feed; None without a record."""

    def read(start, **query):
        changes = feed(start, include="record", types="leads", **query)["data"]
        return [change["record"] and change["record"]["hidden_fields"] for change in changes]

    return read


@pytest.mark.parametrize(
    ("query", "kept"),
    [
        (
            "utm_source=mail&utm_medium=cpc&campaign=fair",
            {"utm_source": "mail", "utm_medium": "cpc", "campaign": "fair"},
        ),
        (f"campaign={quote('Überraschung 🎉 ежегодная')}", {"campaign": "Überraschung 🎉 ежегодная"}),
        (f"campaign={quote('<b>&quot;')}&utm_source=a%2Bb", {"campaign": "<b>&quot;", "utm_source": "a+b"}),
        ("campaign=&foreign=1", {}),
        ("", {}),
    ],
)
def test_a_captured_lead_has_the_fields_that_its_link_gave(feed, capture, hidden, query, kept):
    start = feed()["next"]
    capture(query)
    assert hidden(start) == [kept]


def test_each_lead_of_a_page_has_its_own_fields(organization, feed, capture, hidden):
    start = feed()["next"]
    for source in ("mail", "web"):
        capture(f"utm_source={source}")
    organization.insert("leads", first_name="Pat")
    assert hidden(start) == [{"utm_source": "mail"}, {"utm_source": "web"}, {}]


def test_a_field_keeps_its_name_when_a_later_version_renames_it(organization, feed, form, capture, hidden):
    start = feed()["next"]
    capture("campaign=fair")
    organization.admin.patch(f"/api/interview-templates/{form['id']}", {"hidden_fields": ["utm_campaign"]}, status=200)
    capture("campaign=fair&utm_campaign=trial")
    assert hidden(start) == [{"campaign": "fair"}, {"utm_campaign": "trial"}]


def test_an_invited_lead_has_the_fields_of_its_response_from_the_next_change_on(
    organization, member, feed, form, hidden, anonymous
):
    lead = member.post("/api/leads", {"first_name": "Ada"}, status=201).json
    invite, start = organization.invite(form, lead_id=lead["id"]), feed()["next"]
    anonymous.post(f"{interview(invite)}/submit?campaign=fair", {"answers": {"product_line": "server"}}, status=200)
    assert hidden(start) == []
    member.patch(f"/api/leads/{lead['id']}", {"notes": "Called"}, status=200)
    assert hidden(start) == [{"campaign": "fair"}]


def test_a_lead_changed_by_a_batch_has_its_fields(organization, member, feed, capture, hidden):
    capture("campaign=fair")
    ((lead,), start) = organization.leads(), feed()["next"]
    changes = [{"id": lead["id"], "notes": "Called"}]
    member.post("/api/leads/batch", {"update": changes}, status=200)
    assert hidden(start) == [{"campaign": "fair"}]


def test_a_key_without_the_scope_of_leads_gets_no_fields(organization, feed, capture, hidden):
    start = feed()["next"]
    capture("campaign=fair")
    assert hidden(start, client=organization.key("changes:read", "interviews:read")) == [None]
    assert hidden(start, client=organization.key("changes:read", "leads:read")) == [{"campaign": "fair"}]


def test_another_organization_gets_neither_the_lead_nor_its_fields(new_organization, feed, capture, hidden):
    start, other = feed()["next"], new_organization()
    capture("campaign=fair")
    assert hidden(start, client=other.member) == []


def test_an_erased_lead_has_no_fields_anywhere(organization, admin, owner, feed, capture, hidden):
    start = feed()["next"]
    capture("campaign=Geburtstagsfest")
    (lead,) = organization.leads()
    confirm = {"confirm": lead["email"] or lead["name"]}
    admin.post(f"/api/leads/{lead['id']}/erase", confirm, status=200)
    assert set(map(str, hidden(start))) == {"None"}
    for table in ("interview_invites", "changes", "outbox", "idempotency_keys"):
        kept = f"select count(*) from app.{table} as kept where strpos(kept::text, 'Geburtstagsfest') > 0"
        assert owner.execute(kept).fetchone() == (0,), table


def test_the_list_and_the_export_of_leads_do_not_show_the_fields(organization, admin, capture):
    capture("campaign=Sommerfest")
    assert "Sommerfest" not in admin.get("/api/leads", status=200).text
    assert "Sommerfest" not in admin.get("/api/leads/export", status=200).text
