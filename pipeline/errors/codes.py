"""The error codes of the API; `/docs/errors` shows them."""

from typing import NamedTuple


class Failure(NamedTuple):
    """A code's status, title, cause and cure (Markdown)."""

    status: int
    title: str
    cause: str
    cure: str


# Clients depend on codes; they never change.
CODES = {
    "malformed_json": Failure(
        400,
        "The body is not valid JSON",
        "The body cannot be read as JSON in UTF-8.",
        "Send what a JSON library writes.",
    ),
    "malformed_request": Failure(
        400,
        "The request cannot be read",
        "The URL, a header or the form is broken.",
        "Percent-encode the URL in UTF-8, and let an HTTP library write the request.",
    ),
    "unauthenticated": Failure(
        401,
        "A valid access token is needed",
        "The token or API key is missing, wrong, expired or revoked, or its seat is off.",
        "Refresh the access token or log in again; a program needs a valid key.",
    ),
    "invalid_credentials": Failure(
        401,
        "Unknown address or wrong password",
        "Address and password do not belong together. Which of them is wrong is never told.",
        "Try again, or ask for a link by `POST /api/auth/password/forgot`.",
    ),
    "invalid_refresh_token": Failure(
        401,
        "The refresh token is not valid",
        "It is unknown, expired, or was used before; a second use ends its session.",
        "Log in again, and keep the newest refresh token only.",
    ),
    "forbidden": Failure(
        403, "The caller's role does not allow this", "It is for admins.", "Ask an admin of the organization."
    ),
    "person_required": Failure(
        403,
        "This needs a person, not an API key",
        "Accounts, users and keys are handled by persons only.",
        "Call with a person's access token.",
    ),
    "insufficient_scope": Failure(
        403,
        "The API key lacks a scope",
        "The key may not be used for this; `required` names the scope.",
        "Have an admin add the scope to the key.",
    ),
    "not_found": Failure(
        404,
        "Not found",
        "There is no such path or record, or the record belongs to another organization.",
        "Check path and id, and the organization of the token.",
    ),
    "method_not_allowed": Failure(
        405, "Method not allowed", "The path takes other methods.", "Use one of those that `Allow` lists."
    ),
    "not_acceptable": Failure(
        406,
        "No acceptable representation",
        "`Accept` admits no media type that the answer has.",
        "Send `Accept: */*`, or the type that `detail` names.",
    ),
    "slug_taken": Failure(409, "The slug is in use", "Another record has this slug.", "Choose another one."),
    "in_use": Failure(
        409,
        "Other records refer to this one",
        "It cannot be deleted while `referred_by` need it.",
        "Delete or change what refers to it first.",
    ),
    "quote_number_taken": Failure(
        409,
        "The quote number is in use",
        "Another quote has it.",
        "Choose another one, or leave it out to be given one.",
    ),
    "seat_taken": Failure(
        409,
        "The person has a seat already",
        "The address belongs to the organization, or is invited.",
        "Change the seat that there is.",
    ),
    "configuration_exists": Failure(
        409, "The invite has a configuration already", "An invite has one.", "Change that configuration."
    ),
    "name_is_own": Failure(
        409,
        "A person's name is their own",
        "Only the person changes their name, in all organizations at once.",
        "Leave `name` out; the person uses `PATCH /api/auth/me`.",
    ),
    "invitation_open": Failure(
        409,
        "The invitation is not accepted yet",
        "The seat is offered, nobody has taken it.",
        "Wait until it is accepted, or send it again by `POST /api/users/{id}/invite`.",
    ),
    "invitation_accepted": Failure(
        409, "The person has a seat already", "The invitation was accepted.", "Nothing is left to do."
    ),
    "last_admin": Failure(
        409,
        "Nobody else is an active admin",
        "Without this seat nobody could administrate the organization.",
        "Make somebody else an admin first.",
    ),
    "idempotency_key_in_flight": Failure(
        409,
        "A request with this key is under way",
        "The first request under this `Idempotency-Key` is not answered yet.",
        "Send it again after `Retry-After` seconds.",
    ),
    "invite_submitted": Failure(
        409, "The interview is submitted", "A submitted interview does not change any more.", "Make a new invite."
    ),
    "invite_not_submitted": Failure(
        409,
        "The interview is not submitted",
        "Only submitted answers become a configuration.",
        "Wait for the prospect's submit.",
    ),
    "contract_locked": Failure(
        409,
        "The contract's content is settled",
        "By its status, or because it has an executed copy.",
        "See `detail`; a contract that is agreed on is not rewritten but replaced by another one.",
    ),
    "invalid_transition": Failure(
        409,
        "The contract's status allows no such move",
        "A contract goes from status to status in a fixed order.",
        "Use one of the moves in `allowed`.",
    ),
    "term_ended": Failure(
        409, "The contract's term has ended", "It is over for good.", "Change its dates first, or make a new contract."
    ),
    "invite_expired": Failure(
        410,
        "The invite has expired",
        "Its `expires_at` has passed, or a rep ended it.",
        "Ask the rep for a new invite.",
    ),
    "link_expired": Failure(410, "The link has expired", "Links are good for a while.", "Ask for a new one."),
    "link_used": Failure(410, "The link is used up", "It works once.", "Log in, or ask for a new one."),
    "cursor_expired": Failure(
        410,
        "The cursor leads nowhere any more",
        "It is more than 30 days old, and changes are kept no longer; or the database was restored from a dump.",
        "Call without `after`, keep `next`, read the records anew with their lists, and follow the changes from there.",
    ),
    "webhook_inactive": Failure(
        409,
        "The webhook is not active",
        "It was switched off, or the service paused it because nothing was taken for five days (`paused_at`).",
        "Set `active` to true first; it then follows what changes from that moment on.",
    ),
    "message_gone": Failure(
        409,
        "The message is not kept",
        "A message of more than 64 KiB is kept only until it is delivered.",
        "Read the record that the delivery names instead.",
    ),
    "too_many_webhooks": Failure(
        409,
        "The organization has as many webhooks as it may have",
        "It may have 20, the inactive ones too.",
        "Delete one that is not needed.",
    ),
    "precondition_failed": Failure(
        412,
        "The record has changed",
        "`If-Match` names an older representation than the one in `ETag`.",
        "Read the record again, and decide anew.",
    ),
    "body_too_large": Failure(
        413, "The body is too large", "`detail` names the limit.", "Send less, or divide the file."
    ),
    "unsupported_media_type": Failure(
        415,
        "Unsupported media type",
        "The `Content-Type` or `Content-Encoding` is not taken here.",
        "Send JSON as `application/json`, files as `multipart/form-data`, and nothing compressed.",
    ),
    "validation_failed": Failure(
        422,
        "Validation failed",
        "Parts of the request are invalid.",
        "Correct each place in `errors`; [their codes](#invalid-places) stand below.",
    ),
    "weak_password": Failure(
        422, "The password is easy to guess", "It would soon be guessed.", "Follow the hints in `advice`."
    ),
    "unsupported_encoding": Failure(
        422, "The file's encoding is not supported", "It is neither UTF-8 nor marked UTF-16.", "Save it as UTF-8."
    ),
    "invalid_csv": Failure(
        422,
        "The file cannot be read as CSV",
        "It is no table of leads, or a quote is never closed.",
        "Compare it with `GET /api/leads/template`.",
    ),
    "too_many_rows": Failure(
        422, "The file has too many rows", "It is longer than one import may be.", "Divide the file."
    ),
    "lead_has_no_company": Failure(
        422,
        "The lead names no company",
        "A company was to be created, and the lead's `company` is empty.",
        "Fill it, or qualify without `create_company`.",
    ),
    "invite_has_no_deal": Failure(
        422, "The invite has no deal", "A configuration belongs to a deal.", "Make the invite with a `deal_id`."
    ),
    "product_line_unanswered": Failure(
        422,
        "The product line is not answered",
        "The question `product_line` decides which definition is used.",
        "Ask it, as a required question.",
    ),
    "configurator_not_found": Failure(
        422,
        "No configurator definition matches the product line",
        "No active definition has the answer as its slug.",
        "Add one, or correct the option's value.",
    ),
    "idempotency_key_reused": Failure(
        422,
        "The key belongs to another request",
        "The `Idempotency-Key` was sent with other data before.",
        "Take a new key for each request.",
    ),
    "unsupported_file": Failure(
        422,
        "The file is not of a supported type",
        "Its content, not its name, decides.",
        "Convert it to one of the types that `detail` names.",
    ),
    "document_too_complex": Failure(
        422,
        "The document is too complex",
        "Printing it takes more time, memory or pages than one document may.",
        "Shorten or simplify the template.",
    ),
    "rate_limited": Failure(
        429,
        "Too many requests",
        "A quota of the [limits](limits.md) is used up; `RateLimit` names it.",
        "Wait `Retry-After` seconds.",
    ),
    "busy": Failure(
        429,
        "Busy with other work",
        "The organization has as much heavy work under way as it may.",
        "Send it again after `Retry-After` seconds, one at a time.",
    ),
    "capture_quota": Failure(
        429,
        "The form takes no more answers for now",
        "More leads were captured in an hour than the form or the organization may have.",
        "Wait `Retry-After` seconds.",
    ),
    "mail_quota": Failure(
        429,
        "The organization's invite emails of the day are used up",
        "More were asked for than may be sent in a day.",
        "Wait, or make invites without `send_email` and pass the link on.",
    ),
    "headers_too_large": Failure(
        431, "The request's header is too large", "It has too many or too long fields.", "Send fewer and shorter ones."
    ),
    "internal_error": Failure(
        500, "Internal error", "The fault is the service's; nothing was stored.", "Tell its operator the `request_id`."
    ),
    "search_too_broad": Failure(
        422,
        "The search finds too much",
        "So many records have these words, or the words are so short, that the search takes longer than a list may.",
        "Search for a longer or a rarer word, or for one word more.",
    ),
    "unavailable": Failure(
        503,
        "Temporarily unavailable",
        "The database or another part cannot be reached at the moment.",
        "Send it again after `Retry-After` seconds; a `POST` with its `Idempotency-Key`.",
    ),
    "storage_full": Failure(
        507,
        "The organization's storage is full",
        "Its files have as much room as they may.",
        "Delete files, or ask the operator for more.",
    ),
}
