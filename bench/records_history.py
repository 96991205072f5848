"""What grows beside the records, the statistics of a template, the audit and the changes: their rows, what is asked."""

from datetime import UTC, datetime, timedelta

# In a new cluster this and the few hundred after it have ended.
FIRST_TRANSACTION = 3
# As crowd.SIZES: a year of one template, as a million invites leave it, and the changes.
HISTORY = {
    "interview_tallies": (
        "template_id, day, fact, name, value, delta, folded",
        "{interview_templates}, date '2026-01-01' + i / 300, case when i % 300 < 5"
        " then (array['invited', 'opened', 'started', 'submitted', 'expired'])[1 + i % 300]"
        " when i % 300 < 15 then 'left' when i % 300 < 115 then 'minutes' else 'chosen' end,"
        " case when i % 300 between 5 and 14 then 'page ' || i % 300 when i % 300 >= 115 then 'question ' || i % 20"
        " else '' end, case when i % 300 >= 15 then cast(i % 300 as text) else '' end, 1 + i % 7, true",
    ),
    "changes": (
        "organization_id, transaction_id, type, record_id, action, at, actor_kind, actor_id",
        f"{{organization}}, {FIRST_TRANSACTION} + i / 2000,"
        " (array['leads', 'deals', 'contracts', 'quotes'])[1 + i % 4], i / 4,"
        " (array['created', 'updated', 'updated'])[1 + i % 3],"
        " now() - interval '10 days' + i * interval '100 milliseconds',"
        " (array['user', 'user', 'key', 'prospect', 'system'])[1 + i % 5],"
        " case when i % 5 < 3 then 1 + i % 20 when i % 5 = 3 then i end",
    ),
}
# The table, the path, and the queries.
ASKED = (
    (
        "interview_tallies",
        "/interview-templates/{interview_templates}/statistics",
        ("", "from=2026-03-01&to=2026-08-31"),
    ),
    (
        "changes",
        "/audit",
        (
            "",
            "type=deals",
            "action=created",
            "actor=user",
            "actor=user:7",
            "actor=prospect:13",
            "actor=prospect&type=leads",
            "type=deals&id=13",
            "from={since}",
            "from={since}&to={until}",
            "from={since}&type=deals&actor=user",
        ),
    ),
    ("changes", "/changes", ("after={cursor}", "after={cursor}&limit=1000", "after={cursor}&types=deals")),
)


def places(size):
    """Two moments and a cursor among the changes: {name: text}."""
    first, tenth = datetime.now(UTC) - timedelta(days=10), timedelta(milliseconds=10 * size)
    halfway = FIRST_TRANSACTION + size // 4000
    return {
        "since": (first + 2 * tenth).isoformat(),
        "until": (first + 7 * tenth).isoformat(),
        "cursor": f"{halfway:x}-0-{int(datetime.now(UTC).timestamp()):x}",
    }
