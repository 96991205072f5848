"""Contracts; None or 0 means an unknown contract.

Functions call `slot` before a long text (see slots.py).
"""

from collections.abc import Callable
from typing import IO

from pipeline import files
from pipeline.api.fields import own_fields
from pipeline.api.fields.own_filters import asked
from pipeline.api.pagination import ListPage, list_page
from pipeline.api.uploads import Upload
from pipeline.contracts import edits, statuses
from pipeline.contracts.assembly import Basis, make, read_basis
from pipeline.database import Row, dumps, not_none, queries
from pipeline.files.content import PDF
from pipeline.files.inspection import Finding, text_holds
from pipeline.http.security import Identity
from pipeline.validation import Values
from pipeline.validation.errors import Problem

COPY_WARNINGS = {
    Finding.ABSENT: ("number_not_in_copy", "The text of the executed copy does not contain the number {number}."),
    Finding.UNREAD: (
        "number_not_checked",
        "The executed copy has no readable text (a scan, for example), so the number {number} was not searched.",
    ),
}
INPUTS = ("template_id", "deal_id", "effective_date", "term_months", "name", "fields")


def list_contracts(caller: Identity, query: Values) -> ListPage | None:
    return list_page(asked("contract", query), queries.contract_list)


def create_contract(caller: Identity, body: Values, slot: Callable[[], None]) -> bytes:
    """Creates a draft and locks the prefix's counter; returns its JSON."""
    basis = read_basis(body)
    number = queries.contract_number_take(prefix=basis.sources["number_prefix"])
    own = {"contract_number": number, "external_id": body["external_id"], "created_by": caller.user_id}
    id = queries.contract_insert(**make(basis, slot, number), **own)
    return not_none(queries.contract_get.json(id=id))


def update_contract(
    id: int, body: Values, query: Values, slot: Callable[[], None], whole: bool = False
) -> bytes | None:
    """Changes inputs and status; returns the JSON or None.

    A changed input rebuilds the text, unless `content` is edited; 409 if the status forbids it. In a settled contract,
    empty inputs count only if `whole`. `query` is a Pasting.
    """
    contract = queries.contract_lock(id=id)
    if contract is None:
        return None
    edit, wanted = edits.edit_of(body["content"], contract), body["status"] or contract["status"]
    if edit is not None:
        edits.check_editable(contract["status"], contract["layout"])
    termination_date = contract["termination_date"]
    if contract["status"] in statuses.LOCKED:
        if any(body[name] != contract[name] for name in INPUTS if whole or body[name] is not None):
            statuses.check_unlocked(contract["status"])
    else:
        basis = read_basis(body, contract, patched=whole)
        if wanted == "active" and (wanted != contract["status"] or basis.facts["fields"] != contract["fields"]):
            own_fields.check_complete(basis.facts["fields"], basis.sources["own_fields"])
        termination_date = basis.facts["termination_date"]
        changed = any(basis.facts[name] != contract[name] for name in INPUTS)
        if edit is not None:
            _store_edit(id, contract, edits.edit(basis, contract, edit, query, changed, slot), changed)
        elif changed:
            edits.check_unedited(contract)
            _resolve_again(id, contract, basis, slot)
    statuses.check_move(contract["status"], wanted, termination_date, contract["today"])
    if wanted != contract["status"]:
        queries.contract_move(id=id, status=wanted)
    if body["external_id"] is not None or whole or contract["status"] not in statuses.LOCKED:
        queries.contract_name_outside(id=id, external_id=body["external_id"])
    return queries.contract_get.json(id=id)


def regenerate_contract(id: int, slot: Callable[[], None], discard: bool = False) -> bytes | None:
    """Rebuilds the text; returns the JSON or None.

    409 for a settled contract, and for an edited one unless `discard`.
    """
    contract = queries.contract_lock(id=id)
    if contract is None:
        return None
    statuses.check_unlocked(contract["status"])
    if not discard:
        edits.check_unedited(contract)
    basis = read_basis({name: contract[name] for name in INPUTS}, contract, patched=True)
    _resolve_again(id, contract, basis, slot)
    return queries.contract_get.json(id=id)


def _resolve_again(id: int, contract: Row, basis: Basis, slot: Callable[[], None]) -> None:
    columns = make(basis, slot, contract["contract_number"], contract["status"], contract["created_date"])
    queries.contract_update(id=id, edited=False, edit_warnings="[]", **columns)


def _store_edit(id: int, contract: Row, columns: Row, changed: bool) -> None:
    """Stores an edit, unless only its markup was written in another way."""
    if changed or columns["content"] != contract["content"]:
        queries.contract_update(id=id, **columns)


def delete_contract(caller: Identity, id: int) -> int:
    """Deletes a contract; returns the count; 409 with an executed copy."""
    contract = queries.contract_lock(id=id)
    if contract is None:
        return 0
    if contract["executed_file_id"] is not None:
        raise Problem("contract_locked", "The contract has an executed copy; an administrator must delete that first.")
    file_ids = queries.contract_files(id=id)
    deleted = queries.contract_delete(id=id)
    queries.file_delete(ids=file_ids)
    return deleted


def add_executed(
    caller: Identity, id: int, kind: str, filename: str, upload: Upload, replace: bool = False
) -> bytes | None:
    """Stores a signed copy and executes the contract; returns the JSON or None; 409 if settled, or `sealed`."""
    number = queries.contract_number(id=id)
    warnings = _copy_warnings(number, kind, upload.file) if number else []
    contract = queries.contract_lock(id=id)
    if contract is None:
        return None
    statuses.check_signable(contract["status"])
    _give_up_sealed(caller, id, "copy_replaced", replace)
    file_id = files.store(upload.file, filename, kind, caller.user_id, received=upload.sha256)
    queries.contract_execute(id=id, file_id=file_id, warnings=dumps(warnings).decode())
    return queries.contract_get.json(id=id)


def _copy_warnings(number: str, kind: str, file: IO[bytes]) -> list[dict[str, str]]:
    """Warnings about a PDF without the contract's number."""
    found = text_holds(number, file) if kind == PDF else Finding.PRESENT
    if found not in COPY_WARNINGS:
        return []
    code, message = COPY_WARNINGS[found]
    return [{"code": code, "message": message.format(number=number)}]


def executed_file(id: int) -> int | None:
    """The current executed copy's file id, or None."""
    return queries.contract_executed_file(id=id)


def remove_executed(caller: Identity, id: int, replace: bool = False) -> int:
    """Removes the executed copy; returns the count; 409 `sealed`."""
    if queries.contract_lock(id=id) is None:
        return 0
    _give_up_sealed(caller, id, "copy_deleted", replace)
    return queries.contract_unexecute(id=id)


def _give_up_sealed(caller: Identity, id: int, event: str, replace: bool) -> None:
    """Adds the event to the evidence if a locked contract's executed copy is sealed; 409 unless an admin says so."""
    request_id = queries.contract_sealed_by(id=id)
    if request_id is None:
        return
    if not replace or caller.role != "admin":
        raise Problem("sealed")
    queries.signature_event_by_member(request_id=request_id, event=event)
