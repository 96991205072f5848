"""Every failure of the service: one enumeration of codes, and the exception that services raise.

The enumeration is also the documentation: `/docs/errors` lists it. How a Problem becomes an answer, and what else
becomes one, stands in `http/problems.py`.
"""

from pipeline.validation import MAX_VIOLATIONS

# code: (status, title). A code is a stable word; clients may switch on it.
CODES = {
    "malformed_json": (400, "The body is not valid JSON"),
    "malformed_request": (400, "The request cannot be read"),
    "unauthenticated": (401, "A valid access token is needed"),
    "invalid_credentials": (401, "Unknown address or wrong password"),
    "invalid_refresh_token": (401, "The refresh token is not valid"),
    "forbidden": (403, "The caller's role does not allow this"),
    "person_required": (403, "This needs a person, not an API key"),
    "insufficient_scope": (403, "The API key lacks a scope"),
    "not_found": (404, "Not found"),
    "method_not_allowed": (405, "Method not allowed"),
    "not_acceptable": (406, "No acceptable representation"),
    "webhook_inactive": (409, "The webhook is not active"),
    "message_gone": (409, "The message is not kept"),
    "too_many_webhooks": (409, "The organization has as many webhooks as it may have"),
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
    "cursor_expired": (410, "The cursor is too old"),
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
