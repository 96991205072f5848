"""Erases copies of records: stored responses, audited searches, recorded changes and webhook messages."""

from collections.abc import Iterable, Mapping
from typing import Any

from pipeline.database import queries

# Paths in the stored responses of Idempotency-Keys, below /api.
PATHS = {
    "leads": "/leads",
    "contacts": "/contacts",
    "invites": "/interview-invites",
    "deals": "/deals",
    "contracts": "/contracts",
}


def erase_traces(found: Mapping[str, Any], words: Iterable[str] = (), sought: Iterable[str] = ()) -> None:
    """Erases copies of records and words by traces_erase.

    `found` is {kind: ids}; audited searches for a part of `sought` are erased.
    """
    ids = {kind: list(found.get(kind, ())) for kind in (*PATHS, "emails", "requests")}
    paths = [f"{path}/{id}" for kind, path in PATHS.items() for id in ids[kind]]
    queries.traces_erase(
        leads=ids["leads"],
        invites=ids["invites"],
        emails=ids["emails"],
        requests=ids["requests"],
        paths=paths,
        words=list(words),
        sought=list(sought),
    )


def forget_changes(patterns: Iterable[str] = (), **ids: Iterable[int]) -> None:
    """Erases recorded changes and webhook messages; for deals, companies and requests only matching values."""
    kinds = ("leads", "contacts", "invites", "notes", "tasks", "requests", "deals", "companies")
    queries.changes_erase(patterns=list(patterns), **{kind: list(ids.get(kind, ())) for kind in kinds})
