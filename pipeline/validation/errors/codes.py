"""The error codes of the API; `/docs/errors` shows them."""

from typing import NamedTuple


class ErrorCode(NamedTuple):
    """A code's status, title, cause and cure (Markdown)."""

    status: int
    title: str
    cause: str
    cure: str


# Clients depend on codes; they never change.
CODES = {
    "malformed_json": ErrorCode(
        400,
        "The body is not valid JSON",
        "The body is not valid JSON in UTF-8.",
        "Encode the body with a JSON library.",
    ),
    "malformed_request": ErrorCode(
        400,
        "The request cannot be read",
        "The URL, a header or the form is malformed.",
        "Percent-encode the URL in UTF-8, and send the request with an HTTP library.",
    ),
    "unauthenticated": ErrorCode(
        401,
        "A valid access token is needed",
        "The token or API key is missing, invalid, expired or revoked, or its seat is inactive.",
        "Refresh the access token or log in again. A program needs a valid API key.",
    ),
    "invalid_credentials": ErrorCode(
        401,
        "Unknown address or wrong password",
        "The email address or the password is wrong. The response does not tell which.",
        "Try again, or request a reset link with `POST /api/auth/password/forgot`.",
    ),
    "invalid_refresh_token": ErrorCode(
        401,
        "The refresh token is not valid",
        "The refresh token is unknown, expired or already used. A second use ends its session.",
        "Log in again, and store only the newest refresh token.",
    ),
    "forbidden": ErrorCode(
        403,
        "The caller's role does not allow this",
        "The endpoint requires the admin role.",
        "Ask an admin of the organization.",
    ),
    "person_required": ErrorCode(
        403,
        "The endpoint requires a user, not an API key",
        "API keys cannot manage accounts, users and API keys.",
        "Use the access token of a user.",
    ),
    "key_required": ErrorCode(
        403,
        "The endpoint requires an API key, not a user",
        "A user called an endpoint that describes the calling API key.",
        "Use an API key; a user calls GET /api/auth/me.",
    ),
    "insufficient_scope": ErrorCode(
        403,
        "The API key lacks a scope",
        "The API key does not have the scope in `required`.",
        "Ask an admin to add the scope to the API key.",
    ),
    "not_found": ErrorCode(
        404,
        "Not found",
        "The record does not exist or belongs to another organization.",
        "Check the id and the organization of the token.",
    ),
    "unknown_path": ErrorCode(
        404, "Unknown path", "The service has no such path.", "Check the path for typing errors and a trailing slash."
    ),
    "method_not_allowed": ErrorCode(
        405, "Method not allowed", "The path does not support this method.", "Use a method from the header `Allow`."
    ),
    "not_acceptable": ErrorCode(
        406,
        "No acceptable representation",
        "The endpoint cannot return a media type that `Accept` allows.",
        "Send `Accept: */*`, or the media type in `detail`.",
    ),
    "slug_taken": ErrorCode(409, "The slug is in use", "Another record has this slug.", "Choose another slug."),
    "key_taken": ErrorCode(409, "The key is in use", "Another record has this key.", "Choose another key."),
    "in_use": ErrorCode(
        409,
        "Other records refer to this one",
        "The record cannot be deleted while records of the type in `referred_by` refer to it.",
        "Delete or change these records first.",
    ),
    "quote_number_taken": ErrorCode(
        409,
        "The quote number is in use",
        "Another quote has this number.",
        "Choose another number. If you omit it, the service assigns one.",
    ),
    "external_id_taken": ErrorCode(
        409,
        "The external id is in use",
        "Another record of this kind has this external id.",
        "Find that record by `external_id=` in the list and change it, or use another id.",
    ),
    "seat_taken": ErrorCode(
        409,
        "The user already has a seat",
        "The email address already has a seat or an invitation in the organization.",
        "Change the existing seat.",
    ),
    "configuration_exists": ErrorCode(
        409,
        "The invite already has a configuration",
        "An invite can have only one configuration.",
        "Change the existing configuration.",
    ),
    "name_is_own": ErrorCode(
        409,
        "Only users can change their own names",
        "A user's name is the same in all organizations.",
        "Omit `name`. The user can change it with `PATCH /api/auth/me`.",
    ),
    "invitation_open": ErrorCode(
        409,
        "The invitation is not accepted yet",
        "The user has not accepted the invitation to this seat.",
        "Wait for the user, or resend the invitation with `POST /api/users/{id}/invite`.",
    ),
    "invitation_accepted": ErrorCode(
        409, "The user already has a seat", "The invitation was accepted.", "No action is needed."
    ),
    "last_admin": ErrorCode(
        409,
        "The organization needs an active admin",
        "Without this seat, the organization would have no active admin.",
        "Give another user the admin role first.",
    ),
    "idempotency_key_in_flight": ErrorCode(
        409,
        "A request with this key is in progress",
        "The first request with this `Idempotency-Key` is still in progress.",
        "Retry after `Retry-After` seconds.",
    ),
    "email_not_failed": ErrorCode(
        409,
        "The email has not failed",
        "The email of the invite was sent, is queued or was not requested, or the invite takes no answers any more.",
        "Read email_status and status. Create a new invite for another email.",
    ),
    "invite_submitted": ErrorCode(
        409, "The interview is submitted", "A submitted interview cannot be changed.", "Create a new invite."
    ),
    "invite_not_submitted": ErrorCode(
        409,
        "The interview is not submitted",
        "Only submitted answers can seed a configuration.",
        "Wait until the prospect submits the interview.",
    ),
    "contract_locked": ErrorCode(
        409,
        "The contract's content can no longer change",
        "The contract's status or its executed copy locks the content.",
        "See `detail`. To change an agreed contract, create a new contract.",
    ),
    "contract_edited": ErrorCode(
        409,
        "The contract's content was edited",
        "The request would replace the edited content by a text built from the template.",
        "Send the new `content` in the same request, or discard the edit with "
        "`PUT /api/contracts/{id}/regenerate?discard=true`.",
    ),
    "sealed": ErrorCode(
        409,
        "The executed copy is sealed",
        "The executed copy is the sealed PDF of a signature request. An upload or a deletion would end its place.",
        "Keep the sealed copy. An admin may repeat it with `?replace=true`; the evidence then names the admin.",
    ),
    "out_for_signature": ErrorCode(
        409,
        "The contract is out for signature",
        "While a signature request is open, the contract cannot be changed or deleted, and cannot get another request.",
        "Wait until all have signed, or cancel the signature request.",
    ),
    "unresolved_tags": ErrorCode(
        409,
        "The contract has blanks",
        "The contract's text has blanks in place of merge tags without a value. Signers would sign the blanks.",
        'Complete the records and regenerate the contract, edit its text, or send `"confirm": ["blanks"]`.',
    ),
    "not_your_turn": ErrorCode(
        409,
        "Others sign first",
        "Signers with a smaller `order` have not signed yet.",
        "Wait for the email that asks for your signature.",
    ),
    "contract_changed": ErrorCode(
        409,
        "The contract is not the one that was sent",
        "The stored contract or its PDF differs from the revision that was sent for signature.",
        "Cancel the signature request and create a new one.",
    ),
    "already_signed": ErrorCode(
        409,
        "The signer has signed",
        "A signer who has signed cannot be corrected.",
        "Cancel the signature request and create a new one.",
    ),
    "already_reminded": ErrorCode(
        409,
        "The signers were reminded today",
        "Each signer who can sign now was reminded within the last 24 hours.",
        "Wait until tomorrow.",
    ),
    "code_required": ErrorCode(
        403,
        "A code from an email is needed",
        "The signature request asks signers to confirm their email address.",
        "Ask for a code and enter it.",
    ),
    "signer_mismatch": ErrorCode(
        422,
        "The contract prints another signer",
        "The contract's line for a party prints the name of another person than the signer.",
        'Change the contact of the deal and regenerate the contract, or send `"confirm": ["signer"]`. '
        "The signed copy then prints the signer.",
    ),
    "certificate_missing": ErrorCode(
        422,
        "No certificate can seal contracts",
        "The service has no certificate to seal signed contracts.",
        "Ask the operator to set `SIGNING_CERTIFICATE`.",
    ),
    "invalid_transition": ErrorCode(
        409,
        "The contract's status does not allow this transition",
        "A contract's status can change only in a fixed order.",
        "Use one of the transitions in `allowed`.",
    ),
    "term_ended": ErrorCode(
        409,
        "The contract's term has ended",
        "The contract's end date has passed.",
        "Change the contract's dates first, or create a new contract.",
    ),
    "invite_expired": ErrorCode(
        410,
        "The invite has expired",
        "The `expires_at` of the invite has passed, or a user expired it.",
        "Ask the sales rep for a new invite.",
    ),
    "signing_ended": ErrorCode(
        410,
        "The signature request has ended",
        "The signature request was completed, declined or cancelled, or it has expired.",
        "Create a new signature request.",
    ),
    "link_expired": ErrorCode(
        410, "The link has expired", "The link is older than its lifetime.", "Request a new link."
    ),
    "link_used": ErrorCode(
        410, "The link was already used", "The link works only once.", "Log in, or request a new link."
    ),
    "cursor_expired": ErrorCode(
        410,
        "The cursor has expired",
        "The cursor is older than 30 days, or the database was restored from a backup. Changes are kept for 30 days.",
        "Call without `after` and store `next`. Read all records from their lists, then read the changes from `next`.",
    ),
    "webhook_inactive": ErrorCode(
        409,
        "The webhook is not active",
        "A user deactivated the webhook, or the service paused it (`paused_at`).",
        "Set `active` to true first. The webhook then receives changes from that time on.",
    ),
    "message_gone": ErrorCode(
        409,
        "The message is no longer stored",
        "Messages above 64 KiB are deleted after delivery.",
        "Read the delivery's record instead.",
    ),
    "too_many_webhooks": ErrorCode(
        409,
        "The organization has too many webhooks",
        "An organization can have 20 webhooks, including inactive ones.",
        "Delete a webhook.",
    ),
    "too_many_fields": ErrorCode(
        409,
        "The kind of record has too many own fields",
        "A kind of record can have 100 own fields.",
        "Delete a field.",
    ),
    "precondition_failed": ErrorCode(
        412,
        "The record has changed",
        "The entity tag in `If-Match` is outdated. `ETag` has the current one.",
        "Read the record again, then repeat the change.",
    ),
    "body_too_large": ErrorCode(
        413, "The body is too large", "The body exceeds the limit in `detail`.", "Send less data, or split the file."
    ),
    "unsupported_media_type": ErrorCode(
        415,
        "Unsupported media type",
        "The endpoint does not accept this `Content-Type` or `Content-Encoding`.",
        "Send JSON as `application/json` and files as `multipart/form-data`. Do not compress the body.",
    ),
    "validation_failed": ErrorCode(
        422,
        "Validation failed",
        "The request has invalid values.",
        "Correct each value in `errors`. [The violation codes](#invalid-places) are listed below.",
    ),
    "weak_password": ErrorCode(
        422,
        "The password is easy to guess",
        "The password can be guessed with few attempts.",
        "Follow the suggestions in `advice`.",
    ),
    "unsupported_encoding": ErrorCode(
        422,
        "The file's encoding is not supported",
        "The file is neither UTF-8 nor UTF-16 with a byte order mark.",
        "Save the file as UTF-8.",
    ),
    "invalid_csv": ErrorCode(
        422,
        "The file cannot be read as CSV",
        "The file is not a table of leads, or a quotation mark is not closed.",
        "Compare the file with `GET /api/leads/template`.",
    ),
    "too_many_rows": ErrorCode(
        422, "The file has too many rows", "The file exceeds the row limit of an import.", "Split the file."
    ),
    "lead_has_no_company": ErrorCode(
        422,
        "The lead has no company name",
        "`create_company` needs a company name, but the lead's `company` is empty.",
        "Set the lead's `company`, or qualify without `create_company`.",
    ),
    "invite_has_no_deal": ErrorCode(
        422, "The invite has no deal", "A configuration needs a deal.", "Create the invite with a `deal_id`."
    ),
    "product_line_unanswered": ErrorCode(
        422,
        "The product line is not answered",
        "The answer to the question `product_line` selects the configurator definition. It is missing.",
        "Add `product_line` as a required question.",
    ),
    "configurator_not_found": ErrorCode(
        422,
        "No configurator definition matches the product line",
        "No active configurator definition has the answer as its slug.",
        "Create a definition with this slug, or correct the option's value.",
    ),
    "idempotency_key_reused": ErrorCode(
        422,
        "The key belongs to another request",
        "An earlier request with different data had the same `Idempotency-Key`.",
        "Use a new key for each request.",
    ),
    "unsupported_file": ErrorCode(
        422,
        "The file is not of a supported type",
        "The content of the file is not of a supported type, or contains something active such as a macro or script.",
        "See `detail`: convert the file to a listed type, or remove the named content.",
    ),
    "converter_missing": ErrorCode(
        422,
        "The converter is missing",
        "A Word file cannot be a template, because the server has no program that makes PDFs of Word files.",
        "Let the operator install Debian's `libreoffice-writer-nogui`; `pipeline doctor` checks it.",
    ),
    "document_too_complex": ErrorCode(
        422,
        "The document is too complex",
        "Rendering the document exceeds the limit of time, memory or pages.",
        "Shorten or simplify the template.",
    ),
    "rate_limited": ErrorCode(
        429,
        "Too many requests",
        "A quota is used up; `RateLimit` names it. See the [limits](limits.md).",
        "Retry after `Retry-After` seconds.",
    ),
    "busy": ErrorCode(
        429,
        "Too many concurrent requests",
        "The organization has reached its limit of concurrent expensive requests.",
        "Retry after `Retry-After` seconds. Send one request at a time.",
    ),
    "capture_quota": ErrorCode(
        429,
        "The form cannot accept more answers for now",
        "The form or the organization has reached its hourly limit of captured leads.",
        "Retry after `Retry-After` seconds.",
    ),
    "mail_quota": ErrorCode(
        429,
        "The organization's daily limit of invite emails is reached",
        "The organization has reached its daily limit of invite emails.",
        "Wait, or create invites without `send_email` and share the link yourself.",
    ),
    "headers_too_large": ErrorCode(
        431,
        "The request's headers are too large",
        "The request has too many or too long headers.",
        "Send fewer and shorter headers.",
    ),
    "internal_error": ErrorCode(
        500,
        "Internal error",
        "The service has a fault. Nothing was stored.",
        "Report the `request_id` to the operator of the service.",
    ),
    "search_too_broad": ErrorCode(
        422,
        "The search is too broad",
        "Too many records contain these words, or the words are too short. The search exceeds the time limit.",
        "Use a longer or rarer word, or add a word.",
    ),
    "unavailable": ErrorCode(
        503,
        "Temporarily unavailable",
        "The database or another component is not reachable.",
        "Retry after `Retry-After` seconds. Retry a `POST` with the same `Idempotency-Key`.",
    ),
    "storage_full": ErrorCode(
        507,
        "The organization's storage is full",
        "The organization's files have reached the storage limit.",
        "Delete files, or ask the operator for a higher limit.",
    ),
}
