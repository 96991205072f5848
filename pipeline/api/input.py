"""The checked values of a request: media types, ids, query and body."""

import functools
from collections import Counter
from typing import Any

from webob.acceptparse import create_accept_header

from pipeline.api import merge_patch
from pipeline.api.batches.references import further_references, taken_values
from pipeline.api.endpoint import Endpoint
from pipeline.api.fields.own_fields import wrong_values
from pipeline.database import not_none
from pipeline.http.bodies import JSON, check_json, parse_json, read_body
from pipeline.http.fairness import slots
from pipeline.http.request import Request
from pipeline.validation import MAX_ID, Body, Invalid, LinkQuery, Values, Violation, Violations
from pipeline.validation.codes import sentence
from pipeline.validation.errors import Problem


def read_input(request: Request, endpoint: Endpoint) -> None:
    """Fill `request.validated`, the view's keywords; raises problems."""
    if not accepted(request, (*endpoint.offers, "application/problem+json")):
        raise Problem("not_acceptable", f"Available: {', '.join(endpoint.offers)}.")
    validated = request.validated
    for name, value in request.matchdict.items():
        validated[name] = record_id(value) if name == "id" or name.endswith("Id") else value
    violations = Violations()
    query = violations.check("", functools.partial(read_query, request), endpoint.query) or {}
    if endpoint.query is not None:
        validated["query"] = query
    heavy = endpoint.heavy or (query.get("search") and slots.SEARCH)
    if heavy:
        slots.hold(request, heavy)
    if endpoint.body is not None:
        reading = functools.partial(read_document, request, types=endpoint.media_types)
        request.document = violations.check("", reading, endpoint.body)
        violations.check("", functools.partial(read_body_values, request), endpoint)
    if violations:
        raise Invalid(dict.fromkeys(violations))
    if endpoint.body is None and endpoint.upload is None:
        refuse_document(request)


def read_body_values(request: Request, endpoint: Endpoint) -> None:
    """Validate the `body`; a PATCH is merged into the record."""
    body, document, violations = not_none(endpoint.body), request.document, Violations()
    if endpoint.changed is not None:
        read = functools.partial(endpoint.changed, request)
        document, request.idle = merge_patch.merge_document(request.method, body, document, read)
    own_id = request.validated.get("id")
    query = request.validated.get("query", {})
    values = violations.check("", functools.partial(read_values, body, document, query=query), own_id)
    if violations:
        raise Invalid(violations, values)
    request.validated["body"] = values


def read_document(request: Request, schema: Body, types: tuple[str, ...] = (JSON,)) -> Any:
    """The JSON of the body; an absent one is {}, if no field is required."""
    may_lack = not any(node.required for node in schema.children)
    if may_lack and _is_bare(request) and request.content_type in ("", *types):
        return {}
    check_json(request, types)
    return parse_json(read_body(request))


def read_values(schema: Body, document: Any, own_id: int | None = None, query: Values | None = None) -> Values:
    """The document's values; raises Invalid with all violations. own_id: the record that changes."""
    try:
        values, violations = schema.read(document), []
    except Invalid as error:
        values, violations = error.value, error.violations
    if values is not None:
        violations += schema.look_up_asked(values, query or {})
    if violations:
        violations += further_references(violations, schema, values or {})
        violations += wrong_values(schema, values or {}, own_id is None)
        raise Invalid([*violations, *taken_values(schema, values or {}, own_id)])
    return values


def refuse_document(request: Request) -> None:
    """Refuse a body other than {}."""
    if _is_bare(request):
        return
    body = read_body(request)
    if body:
        check_json(request, (JSON,))
        _NOTHING.read(parse_json(body))


def _is_bare(request: Request) -> bool:
    return request.environ.get("CONTENT_LENGTH") in (None, "", "0") and "HTTP_TRANSFER_ENCODING" not in request.environ


def accepted(request: Request, offers: tuple[str, ...]) -> str | None:
    """The media type that the client prefers, or None."""
    return _accepted(request.environ.get("HTTP_ACCEPT", "").strip() or "*/*", offers)


@functools.lru_cache(maxsize=1024)
def _accepted(accept: str, offers: tuple[str, ...]) -> str | None:
    found = create_accept_header(accept).acceptable_offers(offers)
    return found[0][0] if found else None


def record_id(text: str) -> int:
    """The id; raises 404 for an invalid one."""
    if text.isascii() and text.isdigit() and len(text) < 20 and 0 < int(text) <= MAX_ID:
        return int(text)
    raise Problem("not_found")


def read_query(request: Request, schema: Body | None) -> Values:
    """The query's values; raises Invalid. A LinkQuery ignores unknown and repeated parameters."""
    if not request.environ.get("QUERY_STRING"):
        return _unasked(schema or _NOTHING).copy()
    counts = Counter(request.GET.keys())
    if isinstance(schema, LinkQuery):
        given = {node.name: request.GET[node.name] for node in schema.children if counts[node.name] == 1}
        return _query_values(schema, given)
    repeated = sorted(name for name, count in counts.items() if count > 1)
    violations = Violations(Violation(name, "repeated", sentence("repeated"), "query") for name in repeated)
    # dict() would search all parameters for each name.
    given = {name: value for name, value in request.GET.items() if name not in repeated}
    values = violations.check("", functools.partial(_query_values, schema or _NOTHING), given)
    if violations:
        raise Invalid(violations)
    return values


@functools.cache
def _unasked(schema: Body) -> Values:
    """The query's defaults; raises Invalid for a required parameter."""
    return _query_values(schema, {})


def _query_values(schema: Body, given: dict[str, str]) -> Values:
    try:
        return schema.read(given)
    except Invalid as error:
        error.violations = [_of_query(violation) for violation in error.violations]
        raise


def _of_query(violation: Violation) -> Violation:
    if violation.code == "unknown_field":
        return Violation(violation.name, "unknown_parameter", sentence("unknown_parameter"), "query")
    return violation._replace(location="query")


_NOTHING = Body()
