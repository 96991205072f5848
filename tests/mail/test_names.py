"""Names in emails: they disturb no sentence of another direction, and become no links."""

import pytest

from pipeline.mail.texts import isolated, unlinked
from tests.mail.post import contents
from tests.mail.test_rendering import mail

FSI, PDI = "\u2068", "\u2069"
NAMES = {"organization": "Acme & Söhne", "interview": "Software evaluation", "rep": "Rita Rep", "recipient": "Pat"}


@pytest.mark.parametrize("name", ["Acme & Söhne", "Software evaluation", "Rita Rep", "Pat Prospect"])
def test_a_name_is_isolated_in_a_right_to_left_email(name):
    subject, text, html = mail(language="ar")
    assert f"{FSI}{name}{PDI}" in text
    assert f"<bdi>{name.replace('&', '&amp;')}</bdi>" in html
    assert FSI not in subject + html


@pytest.mark.parametrize("language", ["de", "en", "fr"])
def test_a_name_of_the_emails_own_direction_is_left_as_it_is(language):
    _, text, _ = mail(language=language)
    assert FSI not in text


@pytest.mark.parametrize("field", ["recipient_name", "rep_name", "organization", "interview"])
def test_a_right_to_left_name_is_isolated_in_every_language(field):
    _, text, html = mail(**{field: "شركة 123"})
    assert f"{FSI}شركة 123{PDI}" in text
    assert "<bdi>شركة 123</bdi>" in html


@pytest.mark.parametrize(
    ("name", "shown"),
    [
        ("www.evil.example", "www evil example"),
        ("https://evil.example/x", "https evil example/x"),
        ("Win at evil.example now", "Win at evil example now"),
        ("kim@evil.example", "kim evil example"),
        ("evil。com", "evil com"),
        ("Booking.com", "Booking com"),
        ("Acme Inc.", "Acme Inc."),
        ("Dr. No & Co. KG", "Dr. No & Co. KG"),
        ("A.B. Smith", "A.B. Smith"),
        ("Acme", "Acme"),
    ],
)
def test_a_name_that_would_become_a_link_loses_what_makes_it_one(name, shown):
    assert unlinked(name) == shown


def test_an_organizations_name_is_no_link_in_its_emails(worker, server, organization):
    organization.owner.execute(
        "update app.organizations set name = 'www.evil.example' where id = %s", [organization.id]
    )
    organization.invite(send_email=True)
    organization.admin.post("/api/users", {"email": "new@person.example"}, status=201)
    worker.run()
    assert len(server.messages) == 2
    for message in server.messages:
        for part in (message["From"], message["Subject"], *contents(message)):
            assert "www.evil" not in part


def test_an_isolated_text_is_empty_if_there_is_none():
    assert isolated("ar", "") == ""


def test_an_email_that_a_key_causes_is_answered_by_the_organization(worker, server, organization):
    organization.admin.patch("/api/organization", {"email": "sales@acme.example"}, status=200)
    template = organization.template()["id"]
    body = {"template_id": template, "recipient_email": "pat@prospect.example", "send_email": True}
    organization.key("interviews:write", "leads:read").post("/api/interview-invites", body, status=201)
    organization.member.post("/api/interview-invites", body, status=201)
    worker.run()
    answered = [message["Reply-To"] for message in server.messages]
    assert sorted(answered) == [f"member@{organization.name}.example", "sales@acme.example"]
    assert {message["X-Auto-Response-Suppress"] for message in server.messages} == {"All"}


def test_outlook_gets_a_table_of_fixed_width_and_a_button_as_a_cell():
    html = mail()[2]
    assert '<table role="presentation" align="center" width="560"' in html
    assert '<td class="button" align="center" bgcolor="' in html
