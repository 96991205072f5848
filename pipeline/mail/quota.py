"""How many emails an organization may send in a day to people outside of it."""

from datetime import UTC, datetime, time, timedelta

from pipeline.database import queries
from pipeline.database.effects import Refused
from pipeline.errors import Problem

# What the organization's people send, and what prospects have sent to themselves: strangers, who find a public form,
# must not use up what is there for invites.
INVITED, ASKED = "invited", "asked"
# Nobody has a stranger's mailbox filled.
ASKED_PER_ADDRESS = 5


def check_asked(quota, to_email):
    """Raise what `spend_asked` would, by a look that locks nothing: for what must be made before it is counted."""
    if queries.mail_day_used(kind=ASKED) >= quota:
        raise _used_up(quota)
    _check_address(to_email)


def spend_asked(quota, to_email):
    """Count an email that a prospect has asked for; Refused when the address has got as many in a day as one gets.

    The 429 `mail_quota` as for `spend`; the worker tries again.
    """
    spend(quota, ASKED)  # until the transaction ends no other such email of the organization is made
    _check_address(to_email)


def _check_address(to_email):
    if queries.email_asked_today(to_email=to_email) >= ASKED_PER_ADDRESS:
        raise Refused("The address has got as many emails today as one may ask for.")


def spend(quota, kind=INVITED):
    """Count an email of today in the current transaction; the 429 `mail_quota` when none of `quota` is left.

    The count is the organization's row, locked until the transaction ends: exact however many come at once, and what
    is rolled back has not been counted. The day is that of UTC, which no setting of the organization can move.
    """
    if queries.mail_day_spend(quota=quota, kind=kind) is None:
        raise _used_up(quota)


def _used_up(quota):
    now = datetime.now(UTC)
    midnight = datetime.combine(now.date() + timedelta(days=1), time(), UTC)
    seconds = int((midnight - now).total_seconds()) + 1
    return Problem(
        "mail_quota",
        f"{quota} invite emails were sent today. More can be sent from {midnight:%Y-%m-%dT%H:%MZ} on.",
        headers={"Retry-After": str(seconds)},
    )
