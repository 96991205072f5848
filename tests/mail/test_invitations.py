"""The email of an invitation: recipient and content."""

import uuid

import pytest

from tests.mail.post import contents, links


@pytest.fixture
def email():
    return f"kim.{uuid.uuid4().hex[:12]}@new.example"


@pytest.fixture
def mailed(organization, post):
    """mailed(email, **body): the one message that an invitation sends."""

    def invite(email, **body):
        organization.admin.post("/api/users", {"email": email, **body}, status=201)
        (message,) = post.deliver(organization)
        return message

    return invite


def test_it_names_the_organization_and_who_invites(mailed, organization, email):
    message = mailed(email, name="Kim Lee")
    assert message["To"] == f"Kim Lee <{email}>"
    assert message["From"] == f"{organization.name} <mail@pipeline.example>"
    assert message["Reply-To"] == f"admin@{organization.name}.example"
    assert message["Subject"] == f"Invitation to {organization.name}"
    for content in contents(message):
        assert f"Admin (admin@{organization.name}.example) invites you to work in {organization.name}." in content
        assert "Hello Kim Lee," in content


def test_it_shows_a_domain_in_unicode(mailed, organization, owner, email):
    address = f"{organization.name}@xn--mnchen-3ya.example"
    owner.execute("update app.users set email = %s where id = %s", [address, organization.users["admin"]])
    message = mailed(email)
    assert message["Reply-To"] == address
    for content in contents(message):
        assert f"Admin ({organization.name}@münchen.example) invites you" in content


@pytest.mark.parametrize(
    "name", ["Visit www.evil.example", "https://evil.example", "Kim evil.com", "kim@evil.example", "Prize：evil。com"]
)
def test_a_typed_name_that_would_become_a_link_is_left_out(name, mailed, email):
    message = mailed(email, name=name)
    for content in contents(message):
        assert "evil" not in content
        assert "Hello," in content
    assert "evil" not in message["To"]


@pytest.mark.parametrize("name", ["J. R. Smith", "O’Neill, Kim", "李小龙", "<b>Kim</b>"])
def test_other_names_are_shown_as_they_were_typed(name, mailed, email):
    text, html = contents(mailed(email, name=name))
    assert f"Hello {name}," in text
    assert "<b>Kim" not in html


def test_it_says_the_same_to_somebody_with_an_account(mailed, new_organization, email):
    messages = [mailed(address) for address in (f"member@{new_organization().name}.example", email)]
    known, unknown = ([part.replace(links(one)[1], "") for part in contents(one)] for one in messages)
    assert known == unknown


def test_it_is_not_sent_once_it_is_withdrawn(organization, post, email):
    made = organization.admin.post("/api/users", {"email": email}, status=201).json
    organization.admin.delete(f"/api/users/{made['id']}", status=204)
    assert post.deliver(organization) == []
