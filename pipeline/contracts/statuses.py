"""The states of a contract and the moves between them.

An active or executed contract whose term has ended reads as expired from the next day on; the daily job stores it.
`expired` is never set by hand.
"""

import datetime

from pipeline.errors import Problem

# By a caller's wish: from each status, where to.
MOVES = {
    "draft": ("active", "archived"),
    "active": ("executed", "terminated", "archived"),
    "executed": ("terminated", "archived"),
    "expired": ("archived",),
    "terminated": ("archived",),
    "archived": (),
}
STATUSES = tuple(MOVES)
# What a contract says is settled in these.
LOCKED = ("executed", "expired", "terminated", "archived")
# A signed copy may come for one of these.
SIGNABLE = ("draft", "active", "executed")
# They run, and so they can expire.
RUNNING = ("active", "executed")


def check_move(status: str, wanted: str, termination_date: datetime.date, today: datetime.date) -> None:
    """Raise the 409 unless a contract may go from its status to the wanted one; the same status is no move.

    No contract is in force once its term has ended, whether that was its end before or is to be it from now on.
    """
    if wanted != status and wanted not in MOVES[status]:
        raise Problem(
            "invalid_transition", f"A contract that is {status} cannot become {wanted}.", allowed=list(MOVES[status])
        )
    if wanted in RUNNING and termination_date < today:
        raise Problem(
            "term_ended", f"The term that ended on {termination_date} is over: the contract cannot be {wanted}."
        )


def check_unlocked(status: str) -> None:
    """Raise the 409 for a contract whose content is settled."""
    if status in LOCKED:
        raise Problem("contract_locked", f"The content of a contract that is {status} is settled.")


def check_signable(status: str) -> None:
    """Raise the 409 for a contract that takes no signed copy."""
    if status not in SIGNABLE:
        raise Problem("contract_locked", f"A contract that is {status} takes no executed copy.")
