"""Daily limits of emails to outsiders."""

from datetime import UTC, datetime, time, timedelta

from pipeline.database import queries
from pipeline.database.effects import Refused
from pipeline.validation.errors import Problem

# Separate, so that strangers on a public form cannot use up the invites.
INVITED, ASKED = "invited", "asked"
# For each address and day, against flooding strangers.
ASKED_PER_ADDRESS = 5


def check_asked(quota: int, to_email: str) -> None:
    """Raises the errors of `spend_asked` without locks."""
    if queries.mail_day_used(kind=ASKED) >= quota:
        raise _used_up(quota)
    _check_address(to_email)


def spend_asked(quota: int, to_email: str) -> None:
    """Counts a prospect's email; raises Refused beyond ASKED_PER_ADDRESS, 429 beyond `quota`."""
    count_email(quota, ASKED)  # locks until commit
    _check_address(to_email)


def _check_address(to_email: str) -> None:
    if queries.email_asked_today(to_email=to_email) >= ASKED_PER_ADDRESS:
        raise Refused("The address has reached today's limit of requested emails.")


def count_email(quota: int, kind: str = INVITED) -> None:
    """Counts an email of today (UTC); raises 429 `mail_quota`. The row stays locked until commit."""
    if queries.mail_day_spend(quota=quota, kind=kind) is None:
        raise _used_up(quota)


def _used_up(quota: int) -> Problem:
    now = datetime.now(UTC)
    midnight = datetime.combine(now.date() + timedelta(days=1), time(), UTC)
    seconds = int((midnight - now).total_seconds()) + 1
    return Problem(
        "mail_quota",
        f"{quota} invite emails were sent today. More can be sent from {midnight:%Y-%m-%dT%H:%MZ} on.",
        headers={"Retry-After": str(seconds)},
    )
