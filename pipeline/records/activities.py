"""Notes and tasks of leads and contracts."""

import functools
from typing import Any

from pipeline.api.declared import Records
from pipeline.api.shapes import Record, listed
from pipeline.http.request import Request
from pipeline.validation import Body, Choice, Date, Id, Text, Values, optional, required


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
    return Records(f"{path}/tasks", "task", body=Task(), item="taskId", given=functools.partial(_owner, owner))


def _owner(owner: str, request: Request, id: int) -> Values:
    return {"lead_id": None, "contract_id": None, f"{owner}_id": id}
