"""The end of what is held about a person: one transaction, so that all of it goes or nothing.

What an administrator may delete is deleted under row-level security; what belongs to others or to the worker, by the
function traces_erase. Signed contracts are kept, since the organization must be able to show them.
"""

import html
import re

from pipeline.database import dumps, queries
from pipeline.personal.file import PATIENCE
from pipeline.validation import invalid_field

# A pattern that nothing has.
NOTHING = r"[^\s\S]"


def erase(id, confirm):
    """Erase the person of a lead: how much of what, and the signed contracts that are kept; None without the lead.

    422 unless `confirm` is the lead's email address, or its name when it has none.
    """
    queries.lead_transfer_patience(patience=PATIENCE)
    person = queries.person_find(id=id)
    if person is None:
        return None
    if confirm.casefold() != (person["email"] or person["name"]).casefold():
        raise invalid_field("confirm", "not_confirmed")
    # The worker holds an event and then asks for its records: whoever takes both must begin with the events.
    forget(leads=person["leads"], contacts=person["contacts"], invites=person["invites"], emails=person["emails"])
    queries.person_lock(leads=person["leads"], contacts=person["contacts"], invites=person["invites"])
    # Nothing is linked to them any more. What came in between is found now.
    person = queries.person_find(id=id)
    words = queries.person_words(**{name: person[name] for name in ("leads", "contacts", "invites")})
    changed, kept = _contracts(person, patterns(words))
    erased = _records(person, words)
    # Last of all, since all this is told by the record of change.
    forget(
        leads=person["leads"],
        contacts=person["contacts"],
        invites=person["invites"],
        emails=person["emails"],
        words=_as_stored(words),
    )
    forget_changes(
        patterns=patterns(words),
        notes=erased["notes"],
        tasks=erased["tasks"],
        **{name: person[name] for name in ("leads", "contacts", "invites", "deals", "companies")},
    )
    counts = {name: made if isinstance(made, int) else len(made) for name, made in erased.items()}
    return {**counts, "contracts_changed": changed, "contracts_kept": kept}


def forget(leads=(), contacts=(), invites=(), emails=(), words=()):
    """Erase the copies of these records, and of these words, that nobody who serves requests may touch."""
    ids = {"leads": leads, "contacts": contacts, "invites": invites, "emails": emails}
    queries.traces_erase(**{name: list(given) for name, given in ids.items()}, words=list(words))


def forget_changes(patterns=(), **ids):
    """Erase the values in the changes of these records (leads, contacts, invites, notes, tasks).

    In those of these deals and companies, with their quotes and contracts, only values that have one of the patterns.
    """
    kinds = ("leads", "contacts", "invites", "notes", "tasks", "deals", "companies")
    queries.changes_erase(patterns=list(patterns), **{kind: list(ids.get(kind, ())) for kind in kinds})


def delete_invite(id):
    """Delete an invite with its answers, its emails, and what was told of it: the number of invites deleted."""
    emails = queries.invite_emails(id=id) or []
    forget(invites=[id], emails=emails)
    queries.person_emails_delete(emails=emails)
    deleted = queries.person_invites_delete(invites=[id])
    forget_changes(invites=[id])
    return deleted


def patterns(words):
    """Two regular expressions of PostgreSQL that find what a person is called in a text.

    A word by itself (a single name, `CEO`) is found only as it is written: it may mean something else otherwise.
    """
    said = {form for word in _said(words) for form in (word, html.escape(word, quote=False), _json(word))}
    phrases = {word for word in said if re.search(r"[\s@]", word)}
    return ["(?i)" + _any_of(phrases), _any_of(said - phrases)]


def _said(words):
    return [*words["names"], *words["reached"], *words["titles"]]


def _any_of(words):
    escaped = [re.sub(r"([^\w\s])", r"\\\1", word) for word in sorted(words, key=len, reverse=True)]
    return rf"(?<!\w)(?:{'|'.join(escaped)})(?!\w)" if escaped else NOTHING


def _as_stored(words):
    """What tells this person in an answer that was kept: a single name or a position may be another one's."""
    telling = [*words["reached"], *(name for name in words["names"] if " " in name)]
    return [_json(word) for word in telling]


def _json(word):
    """A word as it stands inside of a JSON text."""
    return dumps(word).decode()[1:-1]


def _contracts(person, found):
    """(how many unsigned contracts have lost the person's words, the signed ones), and of deals and quotes the same."""
    sought = {"deals": person["deals"], "patterns": found}
    contracts = queries.person_contracts(companies=person["companies"], **sought)
    others = contracts["others"]
    changed = queries.person_contracts_blank(contracts=others, patterns=found)
    # A document that is being rendered at this moment is not kept, because its contract has another revision now.
    queries.file_delete(ids=queries.person_documents_delete(contracts=others))
    queries.person_quotes_blank(**sought)
    queries.person_deals_release(contacts=person["contacts"], **sought)
    return changed, contracts["signed"]


def _records(person, words):
    """Delete the records themselves: how many of each."""
    leads, contacts = person["leads"], person["contacts"]
    queries.person_companies_blank(companies=person["companies"], addresses=person["addresses"], words=words["reached"])
    return {
        "emails": queries.person_emails_delete(emails=person["emails"]),
        "interviews": queries.person_invites_delete(invites=person["invites"]),
        "notes": queries.person_notes_delete(leads=leads, contacts=contacts),
        "tasks": queries.person_tasks_delete(leads=leads, contacts=contacts),
        "leads": queries.person_leads_delete(leads=leads),
        "contacts": queries.person_contacts_delete(contacts=contacts),
    }
