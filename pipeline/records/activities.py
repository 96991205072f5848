"""Notes and tasks of leads and contracts."""

from typing import Any

from pipeline.database import queries
from pipeline.http.declared import record
from pipeline.http.pagination import Paged, PagedByHundred
from pipeline.http.request import Request
from pipeline.http.resource import Resource
from pipeline.http.shapes import Record, listed
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


def notes_of(path: str, owner: str) -> tuple[Resource, Resource]:
    """Returns the Resources of notes; `owner` is lead or contract."""
    return _entries("note", path, owner, offers=("list", "create", "get", "delete"), body=Note(), query=Paged())


def tasks_of(path: str, owner: str) -> tuple[Resource, Resource]:
    """Returns the Resources of tasks."""
    return _entries(
        "task",
        path,
        owner,
        offers=("list", "create", "get", "update", "delete"),
        body=Task(),
        query=PagedByHundred(),
        check=lambda id, body: check_seat("assigned_to", body, task_id=id),
    )


def check_seat(field: str, body: Values, **of: int | None) -> None:
    """Raises 422 for a user without an active seat, except the assignee of `of` (lead_id, task_id or deal_id)."""
    if body[field] is not None and not queries.seat_assignable(user_id=body[field], **of):
        raise invalid_field(field, "unknown_reference", "There is no such active seat.")


def _entries(kind: str, path: str, owner: str, **options: Any) -> tuple[Resource, Resource]:
    def given(request: Request, id: int) -> Values:
        return {"lead_id": None, "contract_id": None, f"{owner}_id": id}

    return record(
        f"{path}/{kind}s",
        f"{owner}_{kind}",
        f"{owner}_{kind}s",
        statements=kind,
        item=f"{kind}Id",
        verbs={"create": "add"},
        given=given,
        depth=5,
        **options,
    )
