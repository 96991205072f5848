"""The list's plans among many people's notifications: they read only the caller's."""

import psycopg
import pytest
from psycopg.rows import dict_row

from pipeline.database import queries
from tests.support import session

EACH = 400
PEOPLE = 50


@pytest.fixture
def crowd(organization, owner, password_hash):
    """An organization in which PEOPLE people have EACH notifications, a tenth of them unread."""
    owner.execute(
        """with people as (
               insert into app.users (email, name)
               select i || '@' || %(name)s || '.example', 'P' from generate_series(1, %(people)s) i returning id),
           seats as (
               insert into app.organization_users (organization_id, user_id)
               select %(organization)s, id from people returning user_id)
           insert into app.notifications (organization_id, user_id, event, effect_key, title, read_at)
           select %(organization)s, user_id, 'lead_captured', 'n' || i, 'New lead', case when i %% 10 > 0 then now() end
           from seats, generate_series(1, %(each)s) i order by i, user_id""",
        {"organization": organization.id, "name": organization.name, "people": PEOPLE, "each": EACH},
    )
    owner.execute("analyze app.notifications")
    user = owner.execute(
        "select max(user_id) from app.notifications where organization_id = %s", (organization.id,)
    ).fetchone()
    return organization.id, user[0]


def nodes(plan):
    """Every node of a plan."""
    yield plan
    for child in plan.get("Plans", []):
        yield from nodes(child)


@pytest.mark.parametrize(("unread", "most"), [(None, EACH), (False, EACH), (True, EACH // 10)])
def test_a_page_and_its_total_touch_the_callers_rows_alone(unread, most, crowd, login_url, owner):
    organization, user = crowd
    with psycopg.connect(login_url("pipeline_app"), row_factory=dict_row) as connection, queries.on(connection):
        queries.authenticate(organization_id=organization, user_id=user, session_id=session(owner, user, organization))
        (plan,) = queries.notification_list.explained("analyze, format json", unread=unread, limit=25, offset=0)
        connection.rollback()
    scans = [node for node in nodes(plan[0]["Plan"]) if node.get("Relation Name") == "notifications"]
    assert scans
    assert all(scan["Actual Rows"] + scan.get("Rows Removed by Filter", 0) <= most for scan in scans)
