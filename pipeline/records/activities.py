"""Notes and tasks of leads and contracts."""

import functools
from typing import Any

from pipeline.database import queries
from pipeline.http.core.request import Request
from pipeline.http.endpoints.declared import Records
from pipeline.http.endpoints.shapes import Record, listed
from pipeline.validation import Body, Choice, Date, Id, Text, Values, invalid_field, optional, required


class Note(Body):
    """A note."""

    content = required(Text(max_length=20_000, lines=True))


class Task(Body):
    """A task."""

    title = required(Text())
    description = optional(Text(max_length=20_000, lines=True))
    due_date = optional(Date())
    due_time = optional(
        Text(pattern="([01][0-9]|2[0-3]):[0-5][0-9](:[0-5][0-9])?", hint="Must be a time HH:MM or HH:MM:SS.")
    )
    priority = optional(Choice("low", "medium", "high"), default="medium")
    assigned_to = optional(Id("seat"))
    contact_id = optional(Id("contact"))
    company_id = optional(Id("company"))
    deal_id = optional(Id("deal"))


NEWEST: dict[str, Any] = {
    "note_entries": listed(Record("note"), maxItems=100),
    "tasks": listed(Record("task"), maxItems=100),
}


def notes_of(path: str, owner: str) -> Records:
    """The notes of a lead or contract; `owner` is either word."""
    return Records(f"{path}/notes", "note", body=Note(), item="noteId", given=functools.partial(_owner, owner))


def tasks_of(path: str, owner: str) -> Records:
    """The tasks of a lead or contract."""
    return Records(
        f"{path}/tasks",
        "task",
        body=Task(),
        item="taskId",
        given=functools.partial(_owner, owner),
        check=functools.partial(check_seat, "assigned_to", "task_id"),
    )


def _owner(owner: str, request: Request, id: int) -> Values:
    return {"lead_id": None, "contract_id": None, f"{owner}_id": id}


def check_seat(field: str, of: str, id: int | None, body: Values) -> None:
    """Raises 422 for a user without an active seat, except the assignee of `id`. of: lead_id, task_id or deal_id."""
    if body[field] is not None and not queries.seat_assignable(user_id=body[field], **{of: id}):
        raise invalid_field(field, "unknown_reference", "No active seat has this id.")
