"""The statuses of a contract. After its term it reads as expired; the daily job stores it."""

import datetime

from pipeline.validation.errors import Problem

# {status: next statuses for clients}.
MOVES = {
    "draft": ("active", "archived"),
    "active": ("executed", "terminated", "archived"),
    "executed": ("terminated", "archived"),
    "expired": ("archived",),
    "terminated": ("archived",),
    "archived": (),
}
STATUSES = tuple(MOVES)
# The content is settled.
LOCKED = ("executed", "expired", "terminated", "archived")
# A signed copy may be uploaded.
SIGNABLE = ("draft", "active", "executed")
# The statuses that can expire.
RUNNING = ("active", "executed")


def check_move(status: str, wanted: str, termination_date: datetime.date, today: datetime.date) -> None:
    """Raises 409 for a forbidden move, or a running status after the term."""
    if wanted != status and wanted not in MOVES[status]:
        raise Problem(
            "invalid_transition", f"A contract that is {status} cannot become {wanted}.", allowed=list(MOVES[status])
        )
    if wanted in RUNNING and termination_date < today:
        raise Problem("term_ended", f"The contract ended on {termination_date}, so it cannot become {wanted}.")


def check_unlocked(status: str) -> None:
    """Raises 409 for settled content."""
    if status in LOCKED:
        raise Problem("contract_locked", f"The content of a contract that is {status} cannot change.")


def check_signable(status: str) -> None:
    """Raises 409 if no signed copy is possible."""
    if status not in SIGNABLE:
        raise Problem("contract_locked", f"A contract with the status {status} cannot get an executed copy.")
