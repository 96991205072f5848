"""Texts of the API description."""

from collections.abc import Iterable, Iterator

from pipeline.api.endpoint import Endpoint
from pipeline.api.shapes import ListOf, Record, Shape
from pipeline.http.bodies import JSON
from pipeline.http.scopes import KEY, PERSON
from pipeline.http.security import ADMIN, PUBLIC

ABOUT = """Qualifying interviews, leads and contracts of an organization.

Log in with `POST /api/auth/login` and send `Authorization: Bearer <access token>`. Requests see and change only records
of the caller's current organization. Lists are paginated. Every error response is a problem document (RFC 9457). Its
`code` is stable and explained at `/docs/errors`. Fields marked `readOnly` are set by the service."""
MIB = 1024 * 1024

# {first path segment: (tag, description)}, in order.
TAGS = {
    "interview-templates": (
        "Interview templates",
        "Interview definitions, written by administrators: pages, questions, conditions and branding. They also map"
        " answers to lead fields and to configurations.",
    ),
    "interview-invites": (
        "Interview invites",
        "Invitations of prospects to an interview. Each has its own token and is pending, started, submitted or"
        " expired. Submitted answers can seed a draft configuration of the invite's deal.",
    ),
    "public": (
        "Public interviews",
        "Endpoints for prospects. The only credential is the token of an invite or the slug of a lead-capture form."
        " Answers are saved continuously until the submit locks them.",
    ),
    "leads": (
        "Leads",
        "Potential customers. You can list, search, import and export them as CSV, and qualify or disqualify them."
        " Qualifying creates a contact, company and deal. A lead has notes, tasks and linked emails.",
    ),
    "contracts": (
        "Contracts",
        "Contracts are generated from a template and a deal, as PDF and Word with the same content. A signed copy can"
        " be stored with each, or signers can sign online. The status decides which changes are allowed.",
    ),
    "contract-templates": (
        "Contract templates",
        "HTML with merge tags, headers, footers and a logo. A change does not affect existing contracts until they are"
        " regenerated.",
    ),
    "changes": ("Changes", "A feed of created, updated and deleted records, read from a cursor."),
    "webhooks": ("Webhooks", "Signed HTTP notifications about changes. Failed deliveries are retried."),
    "audit": ("Audit", "A log of all changes: actor, action, time, and the values before and after."),
    "auth": ("Accounts", "Tokens, sessions, passwords and invitations of the caller."),
    "api-keys": (
        "API keys",
        "Credentials for programs. They belong to the organization and have a role, scopes and an optional expiry.",
    ),
    "organization": ("Organization", "The current organization: settings, branding and legal details."),
    "users": ("Users", "Members of the organization and open invitations."),
    "teams": ("Teams", "Groups of users; a list's `scope` can be a team."),
    "companies": ("Companies", "Customers and potential customers."),
    "contacts": ("Contacts", "People at companies."),
    "deal-stages": ("Deal stages", "The steps of a sale."),
    "deals": ("Deals", "Possible sales."),
    "quotes": ("Quotes", "Price offers with lines."),
    "fields": ("Own fields", "What an organization keeps of its records besides the built-in fields."),
    "configurator-definitions": ("Configurator definitions", "The available options of each product line."),
    "configurations": ("Configurations", "The selected options of a deal."),
    "notifications": ("Notifications", "Notifications of the caller."),
}

# Operations about the invites of some days.
_BY_DAY = ("get_interview_template_statistics", "export_template_responses", "export_template_workbook")
# By parameter, or operation and parameter.
PARAMETERS = {
    "page": "The page number, from 1. Past the last page, `data` is empty.",
    "per_page": "The number of records on a page: up to 100, with `after_id` up to 500.",
    "after_id": "Only records with a larger id, in the order of ids. Excludes `page`, `search` and `sort_by`.",
    "ids": "Only records with these ids, separated by commas; at most 200.",
    "sort_by": "The sort field; `fields.key` is an own field. Ties are sorted by `id`; missing values come last.",
    "sort_dir": "The sort direction.",
    "search": "Search words. A record must contain all of them; case and accents are ignored.",
    "value_min": "Only deals of at least this value, whatever their currency.",
    "value_max": "Only deals of at most this value, whatever their currency.",
    "expected_close_from": "Only deals that are expected to close on this day or later.",
    "expected_close_to": "Only deals that are expected to close on this day or earlier.",
    "fields": 'Only records with all of these values of own fields, as JSON: `{"region": "EMEA"}`.',
    "field_min": 'Only records with at least these numbers, amounts or dates in own fields: `{"seats": 10}`.',
    "field_max": 'Only records with at most these numbers, amounts or dates in own fields: `{"seats": 50}`.',
    "effective_from": "Only contracts with this or a later effective date.",
    "effective_to": "Only contracts with this or an earlier effective date.",
    "domain": "Only companies with this domain in `website`. A URL or an email address stands for its domain.",
    "updated_since": "Only records changed at this time or later.",
    "status": "Only records with this status.",
    "source": "Only leads with exactly this source.",
    "tag": "Only leads with this tag, or with one of several tags separated by commas.",
    "assigned_to": "Only leads assigned to this user.",
    "external_id": "Only the record with this external id.",
    "date_from": "Only leads created on this day or later, in the organization's time zone.",
    "date_to": "Only leads created on this day or earlier, in the organization's time zone.",
    "scope": "Only the caller's leads (`me`), leads of the caller's team (`team`), or all leads (`company`).",
    "expiring_within": "Only active and executed contracts that end within this number of days.",
    "kind": "Only own fields of this kind of record.",
    "get_field_schema.kind": "The kind of record.",
    "active": "Only active records (`true`) or inactive records (`false`).",
    "seat_active": "Only users with an active seat (`true`) or an inactive seat (`false`).",
    "role": "Only users with this role.",
    "unread": "Only unread notifications (`true`) or read notifications (`false`).",
    "dry_run": "Report the result of the import without storing anything.",
    "on_unknown": "What happens to an `update` or `delete` of an unknown id: the batch fails, or goes on without it.",
    "on_duplicate": "The handling of a row whose lead already exists.",
    "create_fields": "Create own fields for the columns that no field takes. Needs the Admin role.",
    "blank": "Whether blank cells keep the values of a lead or clear them, with `on_duplicate=update`.",
    "conflicts": "Whether a lead that was changed after the export of the file is skipped or overwritten.",
    "result": "The results of rows to list in the report, separated by commas; all by default.",
    "mapping": 'A JSON object of headers with fields, such as `{"Customer": "company"}`; null ignores a column.',
    "encoding": "The encoding of the file, if it is not recognized.",
    "delimiter": "The delimiter of the file, a sign or the word tab. Excel in German and French expects `;`.",
    "export_leads.ids": "Only the leads with these ids, separated by commas.",
    "sheet": "The sheet of a workbook; the first by default.",
    "company": "A name, domain, URL or email address.",
    "email": "The email address.",
    "r": "The id of the user who shared the link. The lead is assigned to them if their seat is active.",
    "id": "The id of the record.",
    "fileId": "The id of the file.",
    "scheduleId": "The id of the schedule.",
    "noteId": "The id of the note.",
    "taskId": "The id of the task.",
    "deliveryId": "The id of the delivery.",
    "requestId": "The id of the signature request.",
    "signerId": "The id of the signer.",
    "company_id": "Only records of this company.",
    "contact_id": "Only records of this contact.",
    "deal_id": "Only records of this deal.",
    "lead_id": "Only records of this lead.",
    "invite_id": "Only records of this interview invite.",
    "definition_id": "Only configurations of this configurator definition.",
    "template_id": "Only invites to this interview template.",
    "stage_id": "Only deals in this stage.",
    "owner_id": "Only deals owned by this user.",
    "team_id": "Only users in this team.",
    "lang": "The language of the texts (BCP 47). The template's own language is used if it is not available.",
    "question": "The key of the question.",
    "after": "A cursor: `next` or `cursor` of an earlier response. Without it, only `next` is returned.",
    "limit": "The maximum number of changes.",
    "include": "Add the present record to each change. A response then ends after 4 MiB of records.",
    "types": "Only changes of these record types, separated by commas.",
    "actor": "Only actions of this actor: `user`, `key`, `prospect`, `signer` or `system`, or one, such as `user:7`.",
    "type": "Only entries about this type of record.",
    "action": "Only entries with this action.",
    "from": "Only entries at this time or later.",
    "to": "Only entries before this time.",
    **dict.fromkeys(
        tuple(f"{operation}.from" for operation in _BY_DAY), "Only invites created on this day (UTC) or later."
    ),
    **dict.fromkeys(
        tuple(f"{operation}.to" for operation in _BY_DAY), "Only invites created on this day (UTC) or earlier."
    ),
    "values": "`labels`: titles and answers in words. `keys`: the keys of questions and the stored values.",
    "list_audit.after_id": "Only entries with a larger `entry`, in this order. Excludes `page`.",
    "list_audit.ids": "Only entries with these values of `entry`, separated by commas; at most 200.",
    **dict.fromkeys(("list_audit.id", "export_audit.id"), "Only entries about the record with this id."),
    "get_contract_redline.from": "The earlier revision. The default is the one before the current, "
    "for an edited text the last unedited one.",
    "get_contract_redline.to": "The later revision. The default is the current revision.",
    "revisions": "`accept` takes the open revisions of pasted `content` as accepted; without it they are refused.",
    "strip": "Whether comments and hidden text are removed, and tracked changes accepted; without it they are refused.",
    "discard": "Whether an edited text is replaced.",
    "replace": "Whether an admin gives up a sealed copy.",
    "token": "The token of the invite, 64 hexadecimal characters.",
    "slug": "The public slug of the template.",
}


def parameter(operation: str, name: str, usual: str = "") -> str:
    """The description of an operation's parameter, else the `usual` one; raises LookupError without both."""
    words = PARAMETERS.get(f"{operation}.{name}") or PARAMETERS.get(name) or usual
    if not words:
        raise LookupError(f"The parameter {name} of {operation} needs a description in PARAMETERS of {__name__}.")
    return words


def tags(paths: Iterable[str]) -> list[dict[str, str]]:
    """The tags of some paths; unlisted ones come last."""
    used = {_part(path) for path in paths}
    described = [_tag(part) for part in (*TAGS, *sorted(used - TAGS.keys())) if part in used]
    return [{"name": name, "description": about} for name, about in described]


def tag(path: str) -> str:
    return _tag(_part(path))[0]


def _tag(part: str) -> tuple[str, str]:
    name = part.replace("-", " ").capitalize()
    return TAGS.get(part, (name, f"{name} of the organization."))


def _part(path: str) -> str:
    return path.removeprefix("/api/").split("/")[0]


def summary(endpoint: Endpoint) -> str:
    words = endpoint.view.__name__.replace("_", " ").capitalize()
    return f"{words} (Admin)" if endpoint.access == ADMIN else words


def description(endpoint: Endpoint) -> str:
    return " ".join([*_access_sentences(endpoint), *_request_sentences(endpoint), *_response_sentences(endpoint)])


def _access_sentences(endpoint: Endpoint) -> Iterator[str]:
    if endpoint.scopes == (KEY,):
        yield "Available to every API key, and not to users."
        return
    words = {PUBLIC: "Needs no access token.", ADMIN: "Needs the Admin role."}
    yield words.get(endpoint.access, "Available to every member of the organization.")
    if endpoint.access != PUBLIC:
        scopes = endpoint.scopes
        needed = " and ".join(f"`{scope}`" for scope in scopes)
        yield "Not for API keys." if scopes == (PERSON,) else f"An API key needs the scope {needed}."


def _request_sentences(endpoint: Endpoint) -> Iterator[str]:
    if endpoint.upload is not None:
        yield f"Takes a file of at most {endpoint.upload.limit // MIB} MiB in the field `{endpoint.upload.name}`."
    if endpoint.method == "PUT" and endpoint.body is not None:
        yield "An omitted field is reset to its default."
    if endpoint.merges:
        yield "An omitted field stays unchanged; null resets it to its default."
    if endpoint.heavy is not None or endpoint.upload is not None:
        yield "Concurrent requests of an organization are limited: 429 `busy`."


def _response_sentences(endpoint: Endpoint) -> Iterator[str]:
    if endpoint.status == 204:
        yield "The response has no body."
    elif endpoint.gives != JSON or endpoint.answer is None:
        yield "Returns a file."
    elif endpoint.creates:
        yield f"Returns the new {_noun(endpoint.answer)}; `Location` holds its URL."
    elif isinstance(endpoint.answer, ListOf):
        yield "Returns a page; the header `Link` has the URLs of the others."
    else:
        yield f"Response: {endpoint.answer.description}"


def _noun(shown: Shape) -> str:
    return shown.noun if isinstance(shown, Record) else "record"
