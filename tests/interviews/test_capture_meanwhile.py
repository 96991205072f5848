"""A public form that is changed, deleted or loses its rep during a submit."""

import pytest

from tests.interviews.conftest import ANSWERS, leads
from tests.support import held_up, interview

RENEW = """
insert into app.interview_template_versions (organization_id, template_id, version, thank_you, name, pages, questions,
    branding, hints, field_map)
select organization_id, template_id, version + 1, '{"title": "Renewed"}', name, pages, questions, branding, hints,
    field_map
from app.interview_template_versions where organization_id = %s and template_id = %s
returning id"""


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
    assert len(leads(organization)) == 1


def test_a_form_that_is_changed_before_its_version_is_read_costs_no_lead_and_no_invite(
    organization, form, while_captured, anonymous, owner
):
    def renew():
        """A new version, written by the connection that holds the table."""
        (version,) = owner.execute(RENEW, [organization.id, form["id"]]).fetchone()
        owner.execute("update app.interview_templates set version_id = %s where id = %s", [version, form["id"]])

    invite = organization.invite(form)
    assert while_captured(renew, "app.interview_template_versions").json["thank_you"] == {"title": "Renewed"}
    assert len(leads(organization)) == 1
    anonymous.post(f"{interview(invite)}/submit", {"answers": ANSWERS}, status=200)


def test_a_form_that_is_deleted_while_it_is_sent_is_not_found(organization, form, while_captured):
    path = f"/api/interview-templates/{form['id']}"
    while_captured(lambda: organization.admin.delete(path, status=204), status=404)
    assert leads(organization) == []


def test_a_rep_who_loses_the_seat_while_the_form_is_sent_costs_no_lead(organization, while_captured, owner):
    while_captured(organization.deactivate_seats, query=f"?r={organization.users['member']}")
    assigned = owner.execute("select assigned_to from app.leads where organization_id = %s", [organization.id])
    assert assigned.fetchall() == [(None,)]
