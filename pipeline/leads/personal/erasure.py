"""Erases a person's data in one transaction, except signed contracts."""

import html
import re
from collections.abc import Iterable, Sequence
from functools import partial
from typing import Any

from pipeline.changes.traces import erase_traces, forget_changes
from pipeline.database import Row, dumps, not_none, queries
from pipeline.database.effects import emit
from pipeline.leads.personal.shapes import CONTRACT
from pipeline.validation import invalid_field
from pipeline.validation.emails import email_key, usual_form
from pipeline.validation.types import DIRECTION_MARKS

# Matches nothing.
NOTHING = r"[^\s\S]"
PHRASE = re.compile(r"[\s@]")
# The records with names of a person, and the addresses of nobody else.
NAMED = ("leads", "contacts", "invites", "signers", "corrections", "addresses")
# Also in JSON.
GAP = r"(?:[\s\u00a0]|\\n)+"


def erase(id: int, confirm: str) -> dict[str, Any] | None:
    """Erases a lead's person; returns counts and kept contracts, or None.

    Raises 422 unless `confirm` is the lead's email address, else its name.
    """
    queries.transfer_patience()
    queries.erasure_lock()
    person = queries.person_find(id=id)
    if person is None:
        return None
    if not _is_confirmed(confirm, person):
        raise invalid_field("confirm", "not_confirmed")
    queries.person_following_lock()
    # The worker locks events before records; this order avoids deadlocks.
    erase_traces(person)
    queries.person_lock(**_fields(person, "leads", "contacts", "invites"))
    # The locks prevent new links; this finds records linked before them.
    person = queries.person_find(id=id)
    if person is None:
        return None
    words = not_none(queries.person_words(**_fields(person, *NAMED)))
    telling = [*words["names"], *words["emails"], *words["phones"]]
    own = [*telling, *words["texts"]]
    changed, kept = _contracts(person, patterns(telling), patterns(own), patterns([*own, *words["titles"]]))
    queries.person_deals_release(
        contacts=person["contacts"], deals=person["deals"], patterns=patterns(telling), texts=words["texts"]
    )
    erased = _records(person, words, patterns(telling))
    # Last, because the deletions above are recorded as changes. Names may belong to others, addresses do not.
    erase_traces(person, [_json(word) for word in (*words["emails"], *person["addresses"])], sought=telling)
    forget_changes(
        patterns=patterns(own),
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


def patterns(words: Iterable[str]) -> list[str]:
    """Returns two PostgreSQL regular expressions for words in text, HTML or JSON.

    Single words match their case.
    """
    printed = {form for word in words for form in (word, DIRECTION_MARKS.sub("", word)) if len(form) > 1}
    # Filters write ß as SS.
    printed |= {form for word in filter(PHRASE.search, printed) for form in (word.upper(), word.lower())}
    said = {form for word in printed for form in (word, html.escape(word, quote=False), _json(word))}
    phrases = set(filter(PHRASE.search, said))
    return ["(?i)" + _any_of(phrases), _any_of(said - phrases)]


def _any_of(words: Iterable[str]) -> str:
    longest = sorted(words, key=len, reverse=True)
    escaped = [GAP.join(re.sub(r"(\W)", r"\\\1", part) for part in word.split()) for word in longest]
    return rf"(?<!\w)(?:{'|'.join(escaped)})(?!\w)" if escaped else NOTHING


def _json(word: str) -> str:
    return dumps(word).decode()[1:-1]


def _contracts(
    person: Row, telling: Sequence[str], own: Sequence[str], all_words: Sequence[str]
) -> tuple[int, list[Row]]:
    """Returns (number changed, signed contracts).

    `telling` must match first, or `own` in the contracts of their deals: a job title alone is ambiguous.
    """
    known = partial(_known, person, telling, own)
    drafts = _drafts(known())
    queries.person_contracts_lock(contracts=drafts)
    # First, because an open request locks its contract.
    requests = _release_signatures(person, drafts, telling, all_words)
    # Without those that were signed meanwhile.
    contracts = known()
    others = _drafts(contracts)
    signed = [_fields(contract, *CONTRACT.members) for contract in contracts if contract["signed"]]
    changed = queries.person_contracts_blank(contracts=others, patterns=all_words)
    queries.person_revisions_blank(contracts=others, patterns=all_words)
    # A document in rendering is dropped, because its contract has a new revision.
    queries.file_delete(ids=_ids(queries.person_documents_delete(contracts=others)))
    erase_traces({"contracts": others, "requests": requests})
    forget_changes(requests=requests, patterns=telling)
    queries.person_quotes_blank(deals=person["deals"], patterns=telling)
    return changed, signed


def _known(person: Row, telling: Sequence[str], own: Sequence[str]) -> list[Row]:
    """The contracts of the person, their deals and companies; others of a company may share the texts of own fields."""
    given = _fields(person, "deals", "requests")
    everywhere = queries.person_contracts(**given, companies=person["companies"], patterns=telling)
    theirs = queries.person_contracts(**given, companies=[], patterns=own)
    return [*{row["id"]: row for row in (*everywhere, *theirs)}.values()]


def _drafts(contracts: Iterable[Row]) -> list[int]:
    return _ids(contract for contract in contracts if contract["names_them"] and not contract["signed"])


def _records(person: Row, words: Row, telling: Sequence[str]) -> dict[str, Any]:
    leads, contacts = person["leads"], person["contacts"]
    queries.person_companies_blank(
        **_fields(person, "companies", "addresses"), **_fields(words, "phones", "texts"), patterns=telling
    )
    return {
        "emails": queries.person_emails_delete(emails=person["emails"]),
        "interviews": queries.person_invites_delete(invites=person["invites"]),
        "notes": _ids(queries.person_notes_delete(leads=leads, contacts=contacts)),
        "tasks": _ids(queries.person_tasks_delete(leads=leads, contacts=contacts)),
        "leads": queries.lead_delete(ids=leads),
        "contacts": queries.contact_delete(ids=contacts),
    }


def _release_signatures(
    person: Row, contracts: Sequence[int], telling: Sequence[str], all_words: Sequence[str]
) -> list[int]:
    """Ends open requests, notifies their other signers; returns the requests' ids."""
    given: dict[str, Any] = {"requests": person["requests"], "contracts": contracts}
    requests = list(queries.person_requests(**given))
    for request in requests:
        if request["ending"]:
            _end(request["id"], request["ending"])
    ids = _ids(requests)
    queries.person_signers_delete(signers=person["signers"], requests=ids)
    # A change of its own, because its values are erased.
    queries.person_requests_blank(requests=ids, contracts=contracts, patterns=all_words)
    replaced = _ids(queries.person_corrections_blank(corrections=person["corrections"]))
    copied = _ids(queries.person_copies_end(addresses=person["addresses"]))
    known = sorted({*ids, *replaced, *copied, *person["requests"]})
    queries.person_letters_delete(requests=known, patterns=telling)
    return known


def _end(id: int, status: str) -> None:
    queries.signature_request_end(id=id, status=status)
    queries.signature_event_insert(request_id=id, signer_id=None, event=status)
    emit("signature_ended", id, {"request_id": id})
