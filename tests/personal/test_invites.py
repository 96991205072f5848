from tests.personal.conftest import places
from tests.support import held_up, interview

STORED = "select bytes from app.storage_use where organization_id = %s"


def test_an_invite_goes_with_all_that_was_said_and_told_of_it(organization, owner, person, known, told, post):
    hooks = told(organization)
    known(organization, person)
    for hook in hooks:
        hook.work()
    post.deliver(organization)
    path = f"/api/interview-invites/{person.invite}"
    token = organization.admin.get(path, status=200).json["token"]
    organization.admin.delete(path, status=204)
    organization.admin.delete(path, status=404)
    organization.anonymous.get(interview({"token": token}), status=404)
    left = [token, *(person.said[place] for place in ("answer", "greeting", "file", "filename"))]
    assert places(owner, left) <= {("pg_statistic", word) for word in left}
    assert owner.execute(STORED, [organization.id]).fetchone() == (0,)
    organization.member.get(f"/api/leads/{person.lead}", status=200)


def test_a_configuration_that_was_made_of_an_invite_outlives_it(organization, anonymous):
    organization.insert("configurator_definitions", name="Server", slug="server")
    made = organization.invite(deal_id=organization.insert("deals", title="Seats"))
    anonymous.post(interview(made) + "/submit", {"answers": {"product_line": "server"}}, status=200)
    path = f"/api/interview-invites/{made['id']}"
    seeded = organization.member.post(f"{path}/seed-configuration", status=201).json["configuration_id"]
    organization.admin.delete(path, status=204)
    left = organization.member.get(f"/api/configurations/{seeded}", status=200).json
    assert (left["invite_id"], left["status"]) == (None, "draft")


def test_an_email_that_is_written_while_the_invite_is_deleted_goes_with_it(organization, owner):
    invite = organization.invite(send_email=True)["id"]
    hold = "select pg_advisory_xact_lock(app.outbox_lock(id)) from app.outbox where organization_id = %s"
    email = {"from_email": "a@b.example", "to_email": "pat@prospect.example", "subject": "Hi"}
    held_up(
        owner,
        hold,
        [organization.id],
        lambda: organization.admin.delete(f"/api/interview-invites/{invite}", status=204),
        meanwhile=lambda: organization.insert("emails", invite_id=invite, invite_part="invite", **email),
    )
    assert organization.rows()["emails"] == []
