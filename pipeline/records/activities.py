"""Notes and tasks: the same on a lead and on a contract.

Whose they are is told by `lead_id` or `contract_id`. Where a function answers None or 0, there is no such owner, or
it has no such note or task.
"""

from pipeline.database import queries
from pipeline.pages import list_page
from pipeline.validation import invalid_field


def add_note(caller, content, lead_id=None, contract_id=None):
    """A new note: JSON bytes, or None."""
    id = queries.note_insert(lead_id=lead_id, contract_id=contract_id, content=content, created_by=caller.user_id)
    return get_note(id, lead_id, contract_id)


def list_notes(query, lead_id=None, contract_id=None):
    """The Page of notes, newest first, that a Paged query asks for, or None."""
    return list_page(query, queries.note_list, lead_id=lead_id, contract_id=contract_id)


def get_note(id, lead_id=None, contract_id=None):
    """One note: JSON bytes, or None."""
    return queries.note_get.json(id=id, lead_id=lead_id, contract_id=contract_id)


def delete_note(id, lead_id=None, contract_id=None):
    """Delete a note: the number of notes deleted."""
    return queries.note_delete(id=id, lead_id=lead_id, contract_id=contract_id)


def add_task(caller, body, lead_id=None, contract_id=None):
    """A new task: JSON bytes, or None; 422 when what it names does not exist."""
    check_assignee(body["assigned_to"])
    id = queries.task_insert(lead_id=lead_id, contract_id=contract_id, created_by=caller.user_id, **body)
    return get_task(id, lead_id, contract_id)


def list_tasks(query, lead_id=None, contract_id=None):
    """The Page of tasks that a PagedByHundred query asks for, or None."""
    return list_page(query, queries.task_list, lead_id=lead_id, contract_id=contract_id)


def get_task(id, lead_id=None, contract_id=None):
    """One task: JSON bytes, or None."""
    return queries.task_get.json(id=id, lead_id=lead_id, contract_id=contract_id)


def update_task(id, body, lead_id=None, contract_id=None):
    """Replace a task: JSON bytes, or None; 422 when what it names does not exist."""
    check_assignee(body["assigned_to"])
    queries.task_update(id=id, lead_id=lead_id, contract_id=contract_id, **body)
    return get_task(id, lead_id, contract_id)


def delete_task(id, lead_id=None, contract_id=None):
    """Delete a task: the number of tasks deleted."""
    return queries.task_delete(id=id, lead_id=lead_id, contract_id=contract_id)


def check_assignee(user_id):
    """Raise the 422 for an `assigned_to` without an active seat; None is nobody."""
    if user_id is not None and not queries.seat_assignable(user_id=user_id):
        raise invalid_field("assigned_to", "unknown_reference", "There is no such active seat.")
