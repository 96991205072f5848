"""The purge of messages that are old or too many, with many rows."""

from pipeline.database import queries
from tests.webhooks.test_sending import make_lead

MANY = 2_000
KEPT = "organization_id, webhook_id, event, record_type, record_id, body, status, completed_at"
COPIES = f"""
    insert into app.webhook_deliveries ({KEPT})
    select {KEPT} from app.webhook_deliveries cross join generate_series(1, %s) where webhook_id = %s
"""


def looked_at(node):
    """How many rows a plan and its parts have given."""
    return node["Actual Rows"] * node["Actual Loops"] + sum(looked_at(part) for part in node.get("Plans", ()))


def test_the_purge_looks_at_each_message_a_few_times_and_not_once_for_each_other_one(hook, organization, owner):
    crm = hook("lead.created")
    make_lead(organization)
    crm.work()
    with owner.transaction(force_rollback=True):
        owner.execute(COPIES, [MANY, crm.id])
        # As autovacuum does after so many: statistics of when there were few would have each looked at for each other.
        owner.execute("analyze app.webhook_deliveries")
        owner.execute("set local search_path = app, extensions, pg_catalog")
        text = queries.webhook_deliveries_purge.statement.complete.text
        ((plan,),) = owner.execute(f"explain (analyze, format json) {text}").fetchone()
    assert looked_at(plan["Plan"]) < 10 * MANY
