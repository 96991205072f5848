"""The end of what is held about a person: one transaction, so that all of it goes or nothing.

What an administrator may delete is deleted under row-level security; what belongs to others or to the worker, by the
function traces_erase. Signed contracts are kept, since the organization must be able to show them.
"""

import html
import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from pipeline.database import Row, dumps, queries, sure
from pipeline.personal.shapes import CONTRACT
from pipeline.validation import invalid_field
from pipeline.validation.emails import email_key, usual_form

# Below /api; an answer that is kept for an Idempotency-Key names what it made by its path.
PATHS = {
    "leads": "/leads",
    "contacts": "/contacts",
    "invites": "/interview-invites",
    "deals": "/deals",
    "contracts": "/contracts",
}
# A regular expression that matches nothing.
NOTHING = r"[^\s\S]"


def erase(id: int, confirm: str) -> dict[str, Any] | None:
    """Erase the person of a lead: how much of what, and the signed contracts that are kept; None without the lead.

    422 unless `confirm` is the lead's email address, or its name when it has none.
    """
    queries.transfer_patience()
    person = queries.person_find(id=id)
    if person is None:
        return None
    if not _is_confirmed(confirm, person):
        raise invalid_field("confirm", "not_confirmed")
    queries.person_following_lock()
    # The worker holds an event and then asks for its records: whoever takes both must begin with the events.
    forget(person)
    queries.person_lock(**_fields(person, "leads", "contacts", "invites"))
    # Nothing is linked to them any more. What came in between is found now.
    person = queries.person_find(id=id)
    if person is None:
        return None
    words = sure(queries.person_words(**_fields(person, "leads", "contacts", "invites")))
    telling = [*words["names"], *words["emails"], *words["phones"]]
    changed, kept = _contracts(person, patterns(telling), patterns([*telling, *words["titles"]]))
    erased = _records(person, words)
    # Last of all, since all this is told by the record of change. An address is nobody else's; a name may be.
    forget(person, [_json(word) for word in (*words["emails"], *person["addresses"])], sought=telling)
    forget_changes(
        patterns=patterns(telling),
        notes=erased["notes"],
        tasks=erased["tasks"],
        **_fields(person, "leads", "contacts", "invites", "deals", "companies"),
    )
    counts = {name: made if isinstance(made, int) else len(made) for name, made in erased.items()}
    return {**counts, "contracts_changed": changed, "contracts_kept": kept}


def _is_confirmed(confirm: str, person: Row) -> bool:
    if person["email"]:
        return email_key(usual_form(confirm)) == email_key(person["email"])
    return confirm.casefold() == person["name"].casefold()


def _fields(row: Row, *names: str) -> dict[str, Any]:
    return {name: row[name] for name in names}


def _ids(rows: Iterable[Row]) -> list[int]:
    return [row["id"] for row in rows]


def forget(found: Mapping[str, Any], words: Iterable[str] = (), sought: Iterable[str] = ()) -> None:
    """Erase the copies of records, and of words, that nobody who serves requests may touch.

    `found` holds ids by kind: leads, contacts, invites, emails, deals; what it lacks is none. `sought`: whoever has
    searched for one of these, or for a part of it, to export what they found has left it in the audit.
    """
    ids = {kind: list(found.get(kind, ())) for kind in PATHS | {"emails": None}}
    paths = [f"{path}/{id}" for kind, path in PATHS.items() for id in ids[kind]]
    queries.traces_erase(
        **_fields(ids, "leads", "invites", "emails"), paths=paths, words=list(words), sought=list(sought)
    )


def forget_changes(patterns: Iterable[str] = (), **ids: Iterable[int]) -> None:
    """Erase the values in the changes of these records (leads, contacts, invites, notes, tasks).

    In those of these deals and companies, with their quotes and contracts, only values that have one of the patterns.
    Messages to webhooks go as the values of their record.
    """
    kinds = ("leads", "contacts", "invites", "notes", "tasks", "deals", "companies")
    queries.changes_erase(patterns=list(patterns), **{kind: list(ids.get(kind, ())) for kind in kinds})


def delete_invite(id: int) -> int:
    """Delete an invite with its answers, its emails, and what was told of it: the number of invites deleted."""
    queries.person_following_lock()
    # In the order of `erase`: what an event brings that is waited for is found after it.
    forget({"invites": [id], "emails": _ids(queries.invite_emails(id=id))})
    queries.person_lock(leads=[], contacts=[], invites=[id])
    emails = _ids(queries.invite_emails(id=id))
    queries.person_emails_delete(emails=emails)
    deleted = queries.person_invites_delete(invites=[id])
    forget({"invites": [id], "emails": emails})
    forget_changes(invites=[id])
    return deleted


def patterns(words: Iterable[str]) -> list[str]:
    """Two regular expressions of PostgreSQL that find words in a text, as it stands or in HTML or JSON.

    A word by itself (a single name, `CEO`) is found only as it is written: it may mean something else otherwise.
    """
    said = {form for word in words for form in (word, html.escape(word, quote=False), _json(word))}
    phrases = {word for word in said if re.search(r"[\s@]", word)}
    return ["(?i)" + _any_of(phrases), _any_of(said - phrases)]


def _any_of(words: Iterable[str]) -> str:
    escaped = [re.sub(r"([^\w\s])", r"\\\1", word) for word in sorted(words, key=len, reverse=True)]
    return rf"(?<!\w)(?:{'|'.join(escaped)})(?!\w)" if escaped else NOTHING


def _json(word: str) -> str:
    """A word as it stands inside of a JSON text."""
    return dumps(word).decode()[1:-1]


def _contracts(person: Row, telling: Sequence[str], all_words: Sequence[str]) -> tuple[int, list[Row]]:
    """How many unsigned contracts have lost the person's words, and the signed ones; and of deals and quotes the same.

    Where `telling` finds nothing, the person is not spoken of: a position alone may be another one's.
    """
    sought = {"deals": person["deals"], "patterns": telling}
    contracts = queries.person_contracts(companies=person["companies"], **sought)
    signed = [_fields(contract, *CONTRACT.members) for contract in contracts if contract["signed"]]
    others = _ids(contract for contract in contracts if contract["names_them"] and not contract["signed"])
    changed = queries.person_contracts_blank(contracts=others, patterns=all_words)
    queries.person_revisions_blank(contracts=others, patterns=all_words)
    # A document that is being rendered at this moment is not kept, because its contract has another revision now.
    queries.file_delete(ids=_ids(queries.person_documents_delete(contracts=others)))
    forget({"contracts": others})
    queries.person_quotes_blank(**sought)
    queries.person_deals_release(contacts=person["contacts"], **sought)
    return changed, signed


def _records(person: Row, words: Row) -> dict[str, Any]:
    """Delete the records themselves: how many of each."""
    leads, contacts = person["leads"], person["contacts"]
    queries.person_companies_blank(**_fields(person, "companies", "addresses"), phones=words["phones"])
    return {
        "emails": queries.person_emails_delete(emails=person["emails"]),
        "interviews": queries.person_invites_delete(invites=person["invites"]),
        "notes": _ids(queries.person_notes_delete(leads=leads, contacts=contacts)),
        "tasks": _ids(queries.person_tasks_delete(leads=leads, contacts=contacts)),
        "leads": queries.person_leads_delete(leads=leads),
        "contacts": queries.person_contacts_delete(contacts=contacts),
    }
