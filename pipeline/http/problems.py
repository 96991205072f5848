"""Failures as problem documents (RFC 9457)."""

import re
from typing import Any

import orjson
import psycopg
import structlog
from pyramid.config import Configurator
from pyramid.exceptions import URLDecodeError
from pyramid.httpexceptions import HTTPException
from pyramid.interfaces import IRoutesMapper
from pyramid.predicates import RequestMethodPredicate
from pyramid.response import Response
from pyramid.security import NO_PERMISSION_REQUIRED

from pipeline.database.statements import StatementError
from pipeline.database.waiting import first_line
from pipeline.http.request import Request
from pipeline.validation import MAX_VIOLATIONS, Invalid, Violation, invalid_field
from pipeline.validation.errors import Problem

log = structlog.get_logger(__name__)

_FRAMEWORK = {
    400: "malformed_request",
    403: "forbidden",
    404: "not_found",
    405: "method_not_allowed",
    406: "not_acceptable",
    413: "body_too_large",
    415: "unsupported_media_type",
}
# Our triggers raise PI001 and PI003 to PI005.
_STATES = {
    "PI001": "invite_submitted",
    "PI003": "invite_expired",
    "PI004": "out_for_signature",
    "PI005": "contract_locked",
    "57014": "unavailable",  # statement timeout
    "55P03": "unavailable",  # lock timeout
    "40P01": "unavailable",  # deadlock
    "40001": "unavailable",  # serialization
    "25006": "unavailable",  # read-only: a standby or maintenance
    "25P03": "unavailable",  # idle in transaction
    "PI010": "unavailable",  # the organization is moving to another server
}
_SERVER_GONE = ("08", "57", "53", "58")
_DETAILS = {
    "57014": "This took too long and was broken off. Ask for less, or try again later.",
    "55P03": "Another request is changing this record. Try again in a moment.",
}
# {unique constraint: (code, field)}.
_TAKEN = {
    "interview_templates_slug": ("slug_taken", "slug"),
    "interview_templates_public_slug": ("slug_taken", "public_slug"),
    "configurator_definitions_organization_id_slug_key": ("slug_taken", "slug"),
    "clauses_organization_id_key_key": ("key_taken", "key"),
    "fields_organization_id_kind_key_key": ("key_taken", "key"),
    "organizations_slug_key": ("slug_taken", "slug"),
    "quotes_organization_id_quote_number_key": ("quote_number_taken", "quote_number"),
    "invitations_open": ("seat_taken", "email"),
    "configurations_organization_id_invite_id_key": ("configuration_exists", "invite_id"),
    **dict.fromkeys(
        (f"{kind}_external_id" for kind in ("companies", "contacts", "contracts", "deals", "leads", "quotes")),
        ("external_id_taken", "external_id"),
    ),
}


def problem_response(problem: Problem, request_id: str) -> Response:
    response = Response(
        body=orjson.dumps(problem.body(request_id)), status=problem.status, content_type="application/problem+json"
    )
    response.headers.update(problem.headers)
    if problem.status == 401:
        response.headers["WWW-Authenticate"] = "Bearer"
    if problem.status == 503:
        response.headers.setdefault("Retry-After", "2")
    return response


def answer(request: Request, problem: Problem) -> Response:
    """The problem as a page by the request or `registry.failure_pages`, else as JSON."""
    if request.failure_page is not None:
        return request.failure_page(problem)
    path = request.environ.get("PATH_INFO", "")
    for prefix, page in request.registry.failure_pages.items():
        if path.startswith(prefix):
            return page(request, problem)
    return problem_response(problem, request.id)


def problem_of(error: Exception, request: Request) -> Problem | None:
    """An exception's problem, or None for a bug."""
    if isinstance(error, Problem):
        return error
    if isinstance(error, Invalid):
        return _refusal(error)
    if isinstance(error, psycopg.Error):
        return database_problem(error, deleting=request.method == "DELETE")
    if isinstance(error, HTTPException) and error.status_code in _FRAMEWORK:
        if error.status_code == 405 or (error.status_code == 404 and request.matched_route is None):
            # Pyramid raises 404 for another method, too.
            headers = allowed(request)
            return Problem("method_not_allowed" if headers else "unknown_path", headers=headers)
        return Problem(_FRAMEWORK[error.status_code])
    if isinstance(error, URLDecodeError):
        return Problem("malformed_request")
    return None


def _refusal(invalid: Invalid) -> Problem:
    members: dict[str, Any] = {"more_errors": True} if invalid.more else {}
    return Problem(invalid.code, invalid.detail, invalid.violations[:MAX_VIOLATIONS], **members)


def allowed(request: Request) -> dict[str, str]:
    """`Allow` and `Accept-Patch` of a path; empty for an unknown path."""
    registry = request.registry
    routes = registry.getUtility(IRoutesMapper).get_routes()
    found: set[str] = set()
    headers = {}
    for route in routes:
        if route.match(request.path_info) is None:
            continue
        service = registry.cornice_services.get(route.pattern)
        if service:
            # Later routes never get the request.
            found.update(service.defined_methods)
            for method, _view, options in service.definitions:
                if method == "PATCH":
                    headers["Accept-Patch"] = ", ".join(options["schema"].media_types)
            break
        found.update(m for p in route.predicates if isinstance(p, RequestMethodPredicate) for m in p.val)
    return {"Allow": ", ".join(sorted({*found, "OPTIONS"})), **headers} if found else {}


def database_problem(error: psycopg.Error, deleting: bool = False) -> Problem | None:
    """A database error's problem, or None for a bug."""
    state, constraint = getattr(error, "sqlstate", None), error.diag.constraint_name or ""
    if state in _STATES:
        return Problem(_STATES[state], _DETAILS.get(state))
    if state in ("23503", "23001"):
        if deleting:
            words = (error.diag.table_name or "other records").replace("_", " ")
            return Problem("in_use", f"{words.capitalize()} refer to this record.", referred_by=words)
        return _missing_reference(constraint)
    if state == "23505" and constraint in _TAKEN:
        code, field = _TAKEN[constraint]
        return Problem(code, violations=[Violation(field, code, "Is in use.")])
    # An error without a SQLSTATE comes from the connection.
    lost = isinstance(error, psycopg.OperationalError) and (not state or state[:2] in _SERVER_GONE)
    return Problem("unavailable") if lost else None


def _missing_reference(constraint: str) -> Problem:
    """The 422 of a broken foreign key; 404 for a note's or task's parent."""
    if re.fullmatch(r"(notes|tasks)_organization_id_(lead|contract)_id_fkey", constraint):
        return Problem("not_found")
    field = re.fullmatch(r".*_organization_id_(.+)_fkey", constraint)
    name = field[1] if field else constraint
    return _refusal(invalid_field(name, "unknown_reference"))


def exception_view(error: Exception, request: Request) -> Response:
    """Pyramid's view for every exception."""
    problem = problem_of(error, request)
    if problem is None:
        log.error("crash", exc_info=error)
        problem = Problem("internal_error", _for_developers(error, request))
    elif isinstance(error, psycopg.Error) and problem.status >= 500:
        log.warning("database", sqlstate=error.sqlstate, error=first_line(error), at=_statement_source(error))
    return answer(request, problem)


def _for_developers(error: Exception, request: Request) -> str | None:
    """In development the database's message, else None."""
    if request.registry.pipeline.environment != "development":
        return None
    if isinstance(error, psycopg.Error):
        return f"{_statement_source(error)}: {first_line(error)}"
    return str(error) if isinstance(error, StatementError) else None


def _statement_source(error: Exception) -> str | None:
    """The failed statement's file, line and name, or None."""
    return next(iter(getattr(error, "__notes__", ())), None)


def includeme(config: Configurator) -> None:
    # {path prefix: page(request, problem)}
    config.registry.failure_pages = {}
    for context in (Exception, HTTPException):
        config.add_view(exception_view, context=context, permission=NO_PERMISSION_REQUIRED)
    for add in (config.add_notfound_view, config.add_forbidden_view):
        add(exception_view)
