"""Notes and tasks: the same on a lead and on a contract. Where a path names no such owner, there are none."""

from typing import Any

from pipeline.database import queries
from pipeline.http.declared import Given, record
from pipeline.http.pagination import Paged, PagedByHundred
from pipeline.http.request import Request
from pipeline.http.resource import Resource
from pipeline.http.shapes import Record, listed
from pipeline.validation import Body, Choice, Date, Id, Text, Values, invalid_field, optional, required


class Note(Body):
    """A note's text."""

    content = required(Text(max_length=20_000, lines=True))


class Task(Body):
    """The writable fields of a task."""

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


# The newest of both, in the record of a lead or a contract.
NEWEST: dict[str, Any] = {
    "note_entries": listed(Record("note"), maxItems=100),
    "tasks": listed(Record("task"), maxItems=100),
}


def notes_of(path: str, owner: str) -> tuple[Resource, Resource]:
    """The two Resources of the notes below a path; `owner` is the word for whose they are, lead or contract."""
    return record(
        f"{path}/notes",
        f"{owner}_note",
        f"{owner}_notes",
        statements="note",
        item="noteId",
        offers=("list", "create", "delete"),
        verbs={"create": "add"},
        body=Note(),
        query=Paged(),
        given=_ownership(owner),
        depth=4,
    )


def tasks_of(path: str, owner: str) -> tuple[Resource, Resource]:
    """The two Resources of the tasks below a path; `owner` as for notes."""
    return record(
        f"{path}/tasks",
        f"{owner}_task",
        f"{owner}_tasks",
        statements="task",
        item="taskId",
        offers=("list", "create", "update", "delete"),
        verbs={"create": "add"},
        body=Task(),
        query=PagedByHundred(),
        given=_ownership(owner),
        check=lambda id, body: check_assignee(body, task_id=id),
        depth=4,
    )


def check_assignee(body: Values, lead_id: int | None = None, task_id: int | None = None) -> None:
    """Raise the 422 for an `assigned_to` without an active seat; None is nobody.

    That of the lead or of the task may stay when their seat is off by now.
    """
    user_id = body["assigned_to"]
    if user_id is not None and not queries.seat_assignable(user_id=user_id, lead_id=lead_id, task_id=task_id):
        raise invalid_field("assigned_to", "unknown_reference", "There is no such active seat.")


def _ownership(owner: str) -> Given:
    def given(request: Request, id: int) -> Values:
        return {"lead_id": None, "contract_id": None, f"{owner}_id": id}

    return given
