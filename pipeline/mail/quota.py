"""How many invite emails an organization may send in a day."""

from datetime import UTC, datetime, time, timedelta

from pipeline.database import queries
from pipeline.errors import Problem


def spend(quota):
    """Count an invite email of today in the current transaction; the 429 `mail_quota` when none of `quota` is left.

    The count is the organization's row, locked until the transaction ends: exact however many come at once, and what
    is rolled back has not been counted. The day is that of UTC, which no setting of the organization can move.
    """
    if queries.mail_day_spend(quota=quota) is None:
        now = datetime.now(UTC)
        midnight = datetime.combine(now.date() + timedelta(days=1), time(), UTC)
        seconds = int((midnight - now).total_seconds()) + 1
        raise Problem(
            "mail_quota",
            f"{quota} invite emails were sent today. More can be sent from {midnight:%Y-%m-%dT%H:%MZ} on.",
            headers={"Retry-After": str(seconds)},
        )
