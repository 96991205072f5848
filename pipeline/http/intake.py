"""Validation of a request before its view."""

import functools

from pipeline.database import dumps, queries
from pipeline.http import changes, limits, replica, slots
from pipeline.http.authentication import again
from pipeline.http.endpoints import Contract
from pipeline.http.inputs import check_accept, read_document, read_query, read_values, record_id, refuse_document
from pipeline.http.request import Request
from pipeline.http.security import Needed
from pipeline.http.uploads import Upload, UploadField, read_upload
from pipeline.validation import Invalid, Violations


def validate(request: Request, contract: Contract) -> None:
    """Fill `request.validated`, the view's keywords; raises problems."""
    if contract.limit is not None:
        limits.spend(request, contract.limit)
    check_accept(request, contract.offers)
    validated = request.validated
    for name, value in request.matchdict.items():
        validated[name] = record_id(value) if name == "id" or name.endswith("Id") else value
    violations = Violations()
    query = violations.check("", functools.partial(read_query, request), contract.query) or {}
    if contract.query is not None:
        validated["query"] = query
    heavy = contract.heavy or (query.get("search") and slots.SEARCH)
    if heavy:
        slots.hold(request, heavy)
    if contract.body is not None:
        request.document = read_document(request, contract.body, contract.media_types)
        violations.check("", functools.partial(take_body, request), contract)
    if violations:
        raise Invalid(violations)
    _begin_reading(request, contract)
    if contract.upload is not None:
        validated["upload"] = _receive(request, contract.upload, contract.permission)
    elif contract.body is None:
        refuse_document(request)


def _begin_reading(request: Request, contract: Contract) -> None:
    if contract.heavy == slots.EXPORT and request.method == "GET":
        _tell_audit(request, contract)
    if contract.stale:
        replica.read_there(request, contract.permission)


def _tell_audit(request: Request, contract: Contract) -> None:
    """Record an export and commit, since aborted ones count too."""
    kind = request.path.split("/")[2]
    queries.export_recorded(type=kind, filter=dumps({**request.matchdict, **request.GET}).decode())
    again(request, contract.permission, commit=True)


def take_body(request: Request, contract: Contract) -> None:
    """Validate the `body`; a PATCH is merged into the record."""
    if contract.body is None:
        return
    document, violations = request.document, Violations()
    if contract.changed is not None:
        read = functools.partial(contract.changed, request)
        document, request.idle, refused = changes.settled(request.method, contract.body, document, read)
        for name in refused:
            violations.add(name, "read_only")
    own_id = request.validated.get("id")
    values = violations.check("", functools.partial(read_values, contract.body, document), own_id)
    if violations:
        raise Invalid(violations, values)
    request.validated["body"] = values


def _receive(request: Request, field: UploadField, permission: str | Needed) -> Upload:
    """The Upload, received outside of a transaction, without a connection."""
    request.transaction.end(commit=True)
    upload = read_upload(request, field)
    again(request, permission, commit=True)
    return upload
