"""Texts of the API description."""

from collections.abc import Iterable, Iterator

from pipeline.http.endpoints import Contract
from pipeline.http.ingress import JSON
from pipeline.http.scopes import PERSON
from pipeline.http.security import ADMIN, PUBLIC, Needed
from pipeline.http.shapes import ListOf

ABOUT = """Qualifying interviews, leads and contracts of an organization.

Log in with `POST /api/auth/login` and send `Authorization: Bearer <access token>`; everything is scoped to the caller's
current organization. Lists come in pages. Every failure is a problem document (RFC 9457) whose `code` is one of a fixed
set of words, explained at `/docs/errors`. What a record shows and clients cannot write is `readOnly`."""
MIB = 1024 * 1024

# {first path segment: (tag, description)}, in order.
TAGS = {
    "interview-templates": (
        "Interview templates",
        "Interviews as an administrator defines them: pages and questions, conditions, the form's look, hints that tell"
        " which answers are a lead's fields, and rules that turn answers into a configuration.",
    ),
    "interview-invites": (
        "Interview invites",
        "One prospect's invitation each, with a token of its own: pending, started, submitted or expired. What was"
        " answered is read here, and seeds a draft configuration of the invite's deal.",
    ),
    "public": (
        "Public interviews",
        "The prospect's side: the token of an invite, or the slug of a lead-capture form, is the only credential."
        " Answers are saved as they are given, until the submit locks them.",
    ),
    "leads": (
        "Leads",
        "People who may become customers: listed, searched, imported and exported as CSV, qualified into a contact,"
        " company and deal, or disqualified. Each has notes, tasks and linked emails.",
    ),
    "contracts": (
        "Contracts",
        "Generated from a template and a deal by merge tags, as PDF and Word from the same content. A signed copy is"
        " stored beside each; its status decides what may still change.",
    ),
    "contract-templates": (
        "Contract templates",
        "HTML with merge tags, headers, footers and a logo, from which contracts are generated. A change leaves the"
        " contracts as they are until they are generated anew.",
    ),
    "changes": (
        "Changes",
        "What was made, changed and deleted, for programs that follow it from a place of theirs on.",
    ),
    "webhooks": ("Webhooks", "Where programs are told what has changed, by signed messages that are tried again."),
    "audit": ("Audit", "Who did what and when, with the values before and after."),
    "auth": ("Accounts", "Tokens, sessions, passwords and invitations of the caller."),
    "api-keys": ("API keys", "By them programs call the service for the organization, within the scopes of each key."),
    "organization": ("Organization", "The current organization: settings, look and legal details."),
    "users": ("Users", "Who works in the organization, and who is invited."),
    "teams": ("Teams", "Groups of users; a list's `scope` can be a team."),
    "companies": ("Companies", "Whom the organization sells to."),
    "contacts": ("Contacts", "The people whom one knows at companies."),
    "deal-stages": ("Deal stages", "The steps of a sale."),
    "deals": ("Deals", "Possible sales."),
    "quotes": ("Quotes", "What is offered, line by line."),
    "configurator-definitions": ("Configurator definitions", "What can be chosen for each product line."),
    "configurations": ("Configurations", "What is chosen for a deal."),
    "notifications": ("Notifications", "What the caller is told of."),
}

# By parameter, or operation and parameter; `…_id` and `…Id` have a default.
PARAMETERS = {
    "page": "The page to show, from 1; past the last one `data` is empty.",
    "per_page": "How many records a page has.",
    "sort_by": "What the list is sorted by; ties by `id`, and what has no value stands last.",
    "sort_dir": "The direction of the order.",
    "search": "Words that must all occur, whatever their case and accents.",
    "updated_since": "Only what was changed at this time or later.",
    "status": "Only records of this status.",
    "source": "Only leads of exactly this source.",
    "tag": "Only leads that have this tag, or one of several, separated by commas.",
    "assigned_to": "Only leads of this user.",
    "date_from": "Only leads made on this day or later, in the organization's time zone.",
    "date_to": "Only leads made on this day or earlier, in the organization's time zone.",
    "scope": "Only the caller's leads (`me`), those of their team (`team`), or all (`company`).",
    "expiring_within": "Only active and executed contracts that end within so many days.",
    "active": "Only those that are, or are not, active.",
    "seat_active": "Only users whose seat is, or is not, active.",
    "role": "Only users with this role.",
    "unread": "Only notifications that are not read yet, or only the others.",
    "dry_run": "Tell what the import would do, and do nothing.",
    "on_duplicate": "What becomes of a row whose lead there is already.",
    "company": "A name, domain, URL or email address.",
    "email": "The email address.",
    "r": "The user whose link it is: they get the lead, if their seat is active.",
    "id": "The record.",
    "fileId": "The file.",
    "question": "The key of the question that the file answers.",
    "after": "The place to go on from: `next` or a `cursor` of an earlier answer. Without it only `next` is told.",
    "limit": "How many changes at most.",
    "types": "Only changes of these kinds of records, with commas between.",
    "actor": "Only what they did: `user`, `key`, `prospect` or `system`, or one of them, such as `user:7`.",
    "type": "Only what was done to this kind of record.",
    "action": "Only deeds of this kind.",
    "from": "Only from this time on.",
    "to": "Only before this time.",
    **dict.fromkeys(("list_audit.id", "export_audit.id"), "Only what was done to the record with this id."),
    "get_contract_redline.from": "The earlier revision; unless set, the one before the current one.",
    "get_contract_redline.to": "The later revision; unless set, the current one.",
    "token": "The token of the invite, 64 hexadecimal characters.",
    "slug": "The public slug of the template.",
}


def parameter(operation: str, name: str) -> str:
    """The description of an operation's parameter."""
    words = PARAMETERS.get(f"{operation}.{name}") or PARAMETERS.get(name)
    if words:
        return words
    record = name.removesuffix("Id").removesuffix("_id").replace("_", " ")
    return f"The {record}." if name.endswith("Id") else f"Only what belongs to this {record}."


def tags(paths: Iterable[str]) -> list[dict[str, str]]:
    """The tags of some paths; unlisted ones come last."""
    used = {_part(path) for path in paths}
    told = [_tag(part) for part in (*TAGS, *sorted(used - TAGS.keys())) if part in used]
    return [{"name": name, "description": about} for name, about in told]


def tag(path: str) -> str:
    """The tag of a path."""
    return _tag(_part(path))[0]


def _tag(part: str) -> tuple[str, str]:
    name = part.replace("-", " ").capitalize()
    return TAGS.get(part, (name, f"{name} of the organization."))


def _part(path: str) -> str:
    return path.removeprefix("/api/").split("/")[0]


def summary(contract: Contract) -> str:
    """A few words for an operation."""
    words = contract.view.__name__.replace("_", " ").capitalize()
    return f"{words} (Admin)" if contract.access == ADMIN else words


def description(contract: Contract) -> str:
    """An operation's access, request and response."""
    return " ".join([*_whom(contract), *_takes(contract), *_answers(contract)])


def _whom(contract: Contract) -> Iterator[str]:
    words = {PUBLIC: "Needs no access token.", ADMIN: "Needs the Admin role."}
    yield words.get(contract.access, "For every member of the organization.")
    if isinstance(contract.permission, Needed):
        scopes = contract.permission.scopes
        needed = " and ".join(f"`{scope}`" for scope in scopes)
        yield "Not for API keys." if scopes == (PERSON,) else f"An API key needs the scope {needed}."


def _takes(contract: Contract) -> Iterator[str]:
    if contract.upload is not None:
        yield f"Takes a file of at most {contract.upload.limit // MIB} MiB in the field `{contract.upload.name}`."
    if contract.method == "PUT" and contract.body is not None:
        yield "What is left out goes back to its default."
    if contract.changed is not None and contract.method == "PATCH":
        yield "What is left out stays; null goes back to the default."
    if contract.heavy is not None or contract.upload is not None:
        yield "Only so many of an organization's at a time: 429 `busy`."


def _answers(contract: Contract) -> Iterator[str]:
    if contract.status == 204:
        yield "Answers without a body."
    elif contract.gives != JSON or contract.answer is None:
        yield "Answers with a file."
    elif contract.creates:
        yield f"Answers with the new record and, in `Location`, its path: {contract.answer.description}"
    elif isinstance(contract.answer, ListOf):
        yield "Answers a page; the header `Link` leads to the others."
    else:
        yield f"Answers: {contract.answer.description}"
