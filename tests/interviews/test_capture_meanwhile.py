"""A public form that is changed, deleted or loses its rep during a submit."""

from concurrent.futures import ThreadPoolExecutor

import pytest

from tests.interviews.captured import ANSWERS, leads
from tests.interviews.captured import capture as capture
from tests.interviews.captured import path as path
from tests.interviews.captured import template as template
from tests.support import interview, wait_until_waiting

WRITABLE = ("name", "slug", "public_slug", "lead_capture_enabled", "pages", "questions", "hints")


@pytest.fixture
def while_captured(capture, owner):
    """while_captured(change, table, **capture): the answer to a form that waits for a table during `change()`."""

    def meanwhile(change, table="app.leads", **options):
        with ThreadPoolExecutor(1) as pool:
            with owner.transaction():
                owner.execute(f"lock table {table} in access exclusive mode")
                answer = pool.submit(capture, **options)
                wait_until_waiting(owner)
                change()
            return answer.result()

    return meanwhile


def test_a_form_that_is_changed_while_it_is_sent_costs_no_lead(organization, template, while_captured):
    changed = {**{key: template[key] for key in WRITABLE}, "thank_you": {"title": "Thanks again"}}
    path = f"/api/interview-templates/{template['id']}"
    answer = while_captured(lambda: organization.admin.put(path, changed, status=200))
    assert answer.json == {"lead_created": True, "thank_you": {"title": "Thanks again"}}
    assert len(leads(organization)) == 1


def test_a_form_that_is_changed_before_its_version_is_read_costs_no_lead_and_no_invite(
    organization, template, while_captured, anonymous
):
    invite = organization.invite(template)
    answer = while_captured(lambda: renew(organization, template), "app.interview_template_versions")
    assert answer.json["thank_you"] == {"title": "Renewed"}
    assert len(leads(organization)) == 1
    anonymous.post(f"{interview(invite)}/submit", {"answers": ANSWERS}, status=200)


def renew(organization, template):
    """A new version of a template, written by the connection that holds the table."""
    kept = "name, pages, questions, branding, hints, field_map"
    latest = organization.owner.execute(
        f"select version, {kept.replace(', ', '::text, ')}::text from app.interview_template_versions"
        " where organization_id = %s and template_id = %s",
        [organization.id, template["id"]],
    ).fetchone()
    values = [organization.id, template["id"], latest[0] + 1, '{"title": "Renewed"}', *latest[1:]]
    version = organization.owner.execute(
        "insert into app.interview_template_versions (organization_id, template_id, version, thank_you, "
        f"{kept}) values ({', '.join(['%s'] * len(values))}) returning id",
        values,
    ).fetchone()[0]
    organization.owner.execute(
        "update app.interview_templates set version_id = %s where id = %s", [version, template["id"]]
    )


def test_a_form_that_is_deleted_while_it_is_sent_is_not_found(organization, template, while_captured):
    path = f"/api/interview-templates/{template['id']}"
    while_captured(lambda: organization.admin.delete(path, status=204), status=404)
    assert leads(organization) == []


def test_a_rep_who_loses_the_seat_while_the_form_is_sent_costs_no_lead(organization, while_captured):
    while_captured(organization.deactivate_seats, query=f"?r={organization.users['member']}")
    with_lead = organization.owner.execute(
        "select assigned_to from app.leads where organization_id = %s", [organization.id]
    )
    assert with_lead.fetchall() == [(None,)]
