"""The email of an invite: recipient, content, and status in the invite."""

import dataclasses

import pytest
from structlog.testing import capture_logs

from tests.contracts.support import image_file, upload
from tests.mail.post import contents
from tests.support import interview


@pytest.fixture
def invite(organization):
    return organization.invite(send_email=True, recipient_name="Pat Prospect", personal_note="Dear Pat,\nsee you!")


@pytest.fixture
def email_of(shown):
    """email_of(invite): its email's status and error, and whether sent_at is set."""

    def email(invite):
        record = shown(invite)
        return record["email_status"], record["email_error"], record["sent_at"] is not None

    return email


def test_the_prospect_gets_a_message_with_the_link_in_text_and_html(worker, server, organization, invite, email_of):
    assert email_of(invite) == ("queued", None, False)
    assert worker.run() == []
    assert email_of(invite) == ("sent", None, True)
    (message,) = server.messages
    assert server.accepted[0][:2] == ("mail@pipeline.example", "pat@prospect.example")
    assert message["To"] == "Pat Prospect <pat@prospect.example>"
    assert message["From"] == f"{organization.name} <mail@pipeline.example>"
    assert message["Reply-To"] == f"member@{organization.name}.example"
    assert message["Auto-Submitted"] == "auto-generated"
    for content in contents(message):
        assert invite["public_url"] in content
        assert "Dear Pat," in content


def test_the_message_shows_the_uploaded_logo(worker, server, admin, invite, anonymous):
    made = upload(admin, "/api/organization/logo", image_file("PNG"), "logo.png", "logo", status=201)
    worker.run()
    logo = f"/forms/logo/{made.json['logo']['sha256']}"
    assert f"https://pipeline.example{logo}" in server.messages[0].get_body(["html"]).get_content()
    assert anonymous.get(logo, status=200).content_type == "image/png"


def test_an_invite_for_good_is_mailed_in_every_time_zone(worker, server, organization, owner):
    owner.execute("update app.organizations set time_zone = 'Europe/Berlin' where id = %s", [organization.id])
    organization.invite(send_email=True, expires_at="9999-12-31T23:59:59Z")
    assert worker.run() == []
    assert "December 31, 9999" in server.messages[0].get_body(["plain"]).get_content()


def test_an_invite_that_is_over_before_its_email_is_due_is_not_mailed(
    worker, server, organization, invite, anonymous, email_of
):
    answered = organization.invite({"id": invite["template_id"]}, send_email=True)
    organization.expire_by_time(invite)
    anonymous.post(interview(answered) + "/submit", {"answers": {"product_line": "server"}}, status=200)
    worker.run()
    assert [message["To"] for message in server.messages] == [f"Member <member@{organization.name}.example>"]
    for one in (invite, answered):
        status, error, sent = email_of(one)
        assert (status, sent) == ("skipped", False)
        assert "could no longer be answered" in error


def test_in_development_the_email_is_kept_and_no_server_is_asked(worker, invite, email_of, owner):
    worker.settings = dataclasses.replace(worker.settings, mail_transport="log", mail_from="", smtp_url="")
    with capture_logs() as lines:
        assert worker.run() == []
    assert invite["token"] not in str(lines)
    assert email_of(invite) == ("skipped", None, False)
    (kept,) = owner.execute("select body_text from app.emails where invite_id = %s", (invite["id"],)).fetchone()
    assert invite["public_url"] in kept


def test_a_sender_without_a_seat_is_not_who_the_prospect_answers_to(worker, server, organization, invite):
    organization.deactivate_seats()
    worker.run()
    (message,) = server.messages
    assert message["Reply-To"] is None
    assert "Member" not in message.get_body(["plain"]).get_content()


@pytest.mark.parametrize(
    ("language", "direction", "subject", "button"),
    [
        ("de-CH", "ltr", "{} lädt Sie ein: Bedarf", "Fragen öffnen"),
        ("ar", "rtl", "دعوة من {}: Qualification", "فتح الأسئلة"),
        (None, "ltr", "{} invites you: Qualification", "Open the questions"),
    ],
)
def test_the_message_is_in_the_language_of_the_invite_or_else_of_its_template(
    worker, server, organization, language, direction, subject, button
):
    template = organization.template(translations={"de-CH": {"name": "Bedarf"}, "ar": {}})
    organization.invite(template, send_email=True, language=language)
    assert worker.run() == []
    (message,) = server.messages
    assert message["Subject"] == subject.format(organization.name)
    text, html = contents(message)
    assert button in text
    assert button in html
    assert f'dir="{direction}"' in html.partition("<head>")[0]
