"""Validation of a request before its view."""

import functools

from pipeline.database import dumps, queries
from pipeline.http import changes, slots
from pipeline.http.endpoints import Contract
from pipeline.http.inputs import check_accept, read_document, read_query, read_values, record_id, refuse_document
from pipeline.http.request import Request
from pipeline.validation import Invalid, Violations


def read(request: Request, contract: Contract) -> None:
    """Fill `request.validated`, the view's keywords; raises problems."""
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
        violations.check("", functools.partial(_take_body, request), contract)
    if violations:
        raise Invalid(violations)
    if contract.body is None and contract.upload is None:
        refuse_document(request)


def again(request: Request, contract: Contract) -> None:
    """Merge the body into the record as it is now, and rewind the upload."""
    if contract.upload is not None:
        request.validated["upload"].file.seek(0)
    if contract.changed is not None:
        _take_body(request, contract)


def record_export(request: Request) -> None:
    """Enter an export in the audit."""
    kind = request.path.split("/")[2]
    queries.export_recorded(type=kind, filter=dumps({**request.matchdict, **request.GET}).decode())


def _take_body(request: Request, contract: Contract) -> None:
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
