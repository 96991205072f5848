"""Every failure of the service: one enumeration of codes, one body shape (RFC 9457), one exception.

The enumeration is also the documentation: `/docs/errors` lists it, and `type` of each body links there.
"""

import re

import orjson
import psycopg
import structlog
from pyramid.exceptions import URLDecodeError
from pyramid.httpexceptions import HTTPException
from pyramid.interfaces import IRoutesMapper
from pyramid.predicates import RequestMethodPredicate
from pyramid.response import Response
from pyramid.security import NO_PERMISSION_REQUIRED

from pipeline.validation import MAX_VIOLATIONS, Invalid, Violation, invalid_field

log = structlog.get_logger(__name__)

# code: (status, title). A code is a stable word; clients may switch on it.
CODES = {
    "malformed_json": (400, "The body is not valid JSON"),
    "malformed_request": (400, "The request cannot be read"),
    "unauthenticated": (401, "A valid access token is needed"),
    "invalid_credentials": (401, "Unknown address or wrong password"),
    "invalid_refresh_token": (401, "The refresh token is not valid"),
    "forbidden": (403, "The caller's role does not allow this"),
    "not_found": (404, "Not found"),
    "method_not_allowed": (405, "Method not allowed"),
    "not_acceptable": (406, "No acceptable representation"),
    "slug_taken": (409, "The slug is in use"),
    "in_use": (409, "Other records refer to this one"),
    "quote_number_taken": (409, "The quote number is in use"),
    "seat_taken": (409, "The person has a seat already"),
    "configuration_exists": (409, "The invite has a configuration already"),
    "name_is_own": (409, "A person's name is their own"),
    "invitation_open": (409, "The invitation is not accepted yet"),
    "invitation_accepted": (409, "The person has a seat already"),
    "last_admin": (409, "Nobody else is an active admin"),
    "idempotency_key_in_flight": (409, "A request with this key is under way"),
    "invite_submitted": (409, "The interview is submitted"),
    "invite_not_submitted": (409, "The interview is not submitted"),
    "contract_locked": (409, "The contract's content is settled"),
    "invalid_transition": (409, "The contract's status allows no such move"),
    "term_ended": (409, "The contract's term has ended"),
    "request_timeout": (408, "The request did not arrive in time"),
    "invite_expired": (410, "The invite has expired"),
    "link_expired": (410, "The link has expired"),
    "link_used": (410, "The link is used up"),
    "precondition_failed": (412, "The record has changed"),
    "body_too_large": (413, "The body is too large"),
    "unsupported_media_type": (415, "Unsupported media type"),
    "weak_password": (422, "The password is easy to guess"),
    "validation_failed": (422, "Validation failed"),
    "unsupported_encoding": (422, "The file's encoding is not supported"),
    "invalid_csv": (422, "The file cannot be read as CSV"),
    "too_many_rows": (422, "The file has too many rows"),
    "lead_has_no_company": (422, "The lead names no company"),
    "invite_has_no_deal": (422, "The invite has no deal"),
    "product_line_unanswered": (422, "The product line is not answered"),
    "configurator_not_found": (422, "No configurator definition matches the product line"),
    "idempotency_key_reused": (422, "The key belongs to another request"),
    "rate_limited": (429, "Too many requests"),
    "too_many_connections": (429, "Too many connections"),
    "headers_too_large": (431, "The request's header is too large"),
    "busy": (429, "Busy with other work"),
    "capture_quota": (429, "The form takes no more answers for now"),
    "mail_quota": (429, "The organization's invite emails of the day are used up"),
    "unsupported_file": (422, "The file is not of a supported type"),
    "document_too_complex": (422, "The document is too complex"),
    "internal_error": (500, "Internal error"),
    "storage_full": (507, "The organization's storage is full"),
    "unavailable": (503, "Temporarily unavailable"),
}

# What the framework itself refuses.
_FRAMEWORK = {
    400: "malformed_request",
    403: "forbidden",
    404: "not_found",
    405: "method_not_allowed",
    406: "not_acceptable",
    413: "body_too_large",
    415: "unsupported_media_type",
}
# SQLSTATEs that mean one thing wherever they happen; PI001 and PI003 are raised by our own triggers.
_STATES = {
    "PI001": "invite_submitted",
    "PI003": "invite_expired",
    "57014": "unavailable",  # statement timeout
    "55P03": "unavailable",  # lock timeout
    "40P01": "unavailable",  # deadlock
    "40001": "unavailable",  # serialization
    "25006": "unavailable",  # read-only: a standby, or an operator's maintenance
    "25P03": "unavailable",  # idle in transaction for too long
}
_SERVER_GONE = ("08", "57", "53", "58")
# What a person is told of those that have to do with what was asked for.
_DETAILS = {
    "57014": "This took too long and was broken off. Ask for less, or try again later.",
    "55P03": "Somebody else is changing this at the moment. Try again when they have finished.",
}
# A broken unique constraint, by name: (code, field).
_TAKEN = {
    "interview_templates_slug": ("slug_taken", "slug"),
    "interview_templates_public_slug": ("slug_taken", "public_slug"),
    "configurator_definitions_organization_id_slug_key": ("slug_taken", "slug"),
    "organizations_slug_key": ("slug_taken", "slug"),
    "quotes_organization_id_quote_number_key": ("quote_number_taken", "quote_number"),
    "invitations_open": ("seat_taken", "email"),
    "configurations_organization_id_invite_id_key": ("configuration_exists", "invite_id"),
}


class Problem(Exception):
    """A failure with its answer.

    `violations` are the invalid places of a 422; `headers` go onto the response; further keywords become
    members of the body. `commit` keeps what the request wrote although it fails (a revoked token family);
    without it everything is rolled back.
    """

    def __init__(self, code, detail=None, violations=(), headers=None, commit=False, **members):
        super().__init__(code)
        self.code = code
        self.status, self.title = CODES[code]
        self.detail = detail
        self.violations = list(violations)
        self.headers = headers or {}
        self.commit = commit
        self.members = members

    def body(self, request_id):
        """The problem+json document as a dict."""
        body = {
            "type": f"/docs/errors#{self.code}",
            "title": self.title,
            "status": self.status,
            "code": self.code,
            "detail": self.detail or f"{self.title}.",
            "request_id": request_id,
            **self.members,
        }
        if self.violations:
            body["errors"] = [violation._asdict() for violation in self.violations[:MAX_VIOLATIONS]]
        return body


def problem_response(problem, request_id):
    """The HTTP response of a problem."""
    response = Response(
        body=orjson.dumps(problem.body(request_id)), status=problem.status, content_type="application/problem+json"
    )
    response.headers.update(problem.headers)
    if problem.status == 401:
        response.headers["WWW-Authenticate"] = "Bearer"
    if problem.status == 503:
        response.headers.setdefault("Retry-After", "2")
    return response


def answer(request, problem):
    """The response of a problem: a page below a path of `registry.failure_pages`, else problem+json."""
    path = request.environ.get("PATH_INFO", "")
    for prefix, page in request.registry.failure_pages.items():
        if path.startswith(prefix):
            return page(request, problem)
    return problem_response(problem, request.id)


def problem_of(error, request):
    """The problem that an exception stands for, or None when it is a bug."""
    if isinstance(error, Problem):
        return error
    if isinstance(error, Invalid):
        return Problem(error.code, error.detail, error.violations)
    if isinstance(error, psycopg.Error):
        return database_problem(error, deleting=request.method == "DELETE")
    if isinstance(error, HTTPException) and error.status_code == 404 and (allowed := _other_methods(request)):
        return Problem("method_not_allowed", headers={"Allow": ", ".join(allowed)})
    if isinstance(error, HTTPException) and error.status_code in _FRAMEWORK:
        headers = {"Allow": ", ".join(sorted(error.allow))} if error.status_code == 405 else {}
        return Problem(_FRAMEWORK[error.status_code], headers=headers)
    if isinstance(error, URLDecodeError):
        return Problem("malformed_request")
    return None


def _other_methods(request):
    """The methods of the routes that the path alone would have matched: Pyramid itself says 404 for both."""
    if request.matched_route is not None:
        return []
    routes = request.registry.getUtility(IRoutesMapper).get_routes()
    matching = [route for route in routes if route.match(request.path_info) is not None]
    predicates = [predicate for route in matching for predicate in route.predicates]
    return sorted({m for p in predicates if isinstance(p, RequestMethodPredicate) for m in p.val})


def database_problem(error, deleting=False):
    """The problem of a database error: by SQLSTATE, and for broken constraints by the constraint's name."""
    state = getattr(error, "sqlstate", None)
    if state in _STATES:
        return Problem(_STATES[state], _DETAILS.get(state))
    if state in ("23503", "23001"):
        return Problem("in_use") if deleting else problem_of(_missing_reference(error.diag.constraint_name or ""), None)
    if state == "23505" and error.diag.constraint_name in _TAKEN:
        code, field = _TAKEN[error.diag.constraint_name]
        return Problem(code, violations=[Violation(field, code, "Is in use.")])
    # An error without a state comes from the connection, not from the server.
    lost = isinstance(error, psycopg.OperationalError) and (not state or state[:2] in _SERVER_GONE)
    return Problem("unavailable") if lost else None


def _missing_reference(constraint):
    """`<table>_organization_id_<field>_fkey` names the field that refers to nothing in this organization.

    Whose a note or a task is stands in the path: it was deleted meanwhile.
    """
    if re.fullmatch(r"(notes|tasks)_organization_id_(lead|contract)_id_fkey", constraint):
        return Problem("not_found")
    field = re.fullmatch(r".*_organization_id_(.+)_fkey", constraint)
    name = field[1] if field else constraint
    return invalid_field(name, "unknown_reference")


def exception_view(error, request):
    """Pyramid's view for every exception."""
    problem = problem_of(error, request)
    if problem is None:
        log.error("crash", exc_info=error)
        problem = Problem("internal_error")
    return answer(request, problem)


def includeme(config):
    """Answer every failure, the framework's own included, with a problem."""
    # path prefix: what shows a problem to people, page(request, problem)
    config.registry.failure_pages = {}
    for context in (Exception, HTTPException):
        config.add_view(exception_view, context=context, permission=NO_PERMISSION_REQUIRED)
    for add in (config.add_notfound_view, config.add_forbidden_view):
        add(exception_view)
