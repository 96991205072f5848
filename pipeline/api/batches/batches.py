"""`POST /leads/batch`: creates, changes and deletes records of a kind in one transaction."""

from collections.abc import Iterator
from functools import partial
from typing import NamedTuple

from psycopg.errors import ForeignKeyViolation, UniqueViolation

from pipeline.api.batches.bodies import ANSWERED, LISTS, REFUSED, SMALL
from pipeline.api.batches.references import ACTIVE_SEAT, taken_keys, unknown_references
from pipeline.api.fields.own_fields import definitions_of
from pipeline.api.merge_patch import merge_document
from pipeline.api.shapes import Record
from pipeline.database import dumps, loads, not_none, queries, savepoint
from pipeline.database.queries import NamedQuery
from pipeline.http.fairness import limits, slots
from pipeline.http.problems import database_problem
from pipeline.http.request import Request
from pipeline.validation import MAX_VIOLATIONS, Body, ExternalId, Id, Invalid, Values, Violations
from pipeline.validation.errors import Problem

# Attempts while other requests take the same external ids.
ATTEMPTS = 3


class CreatedMeanwhile(Problem):
    """Another request has created the record of an upsert meanwhile."""


class BatchKind(NamedTuple):
    """A kind of record; `statements`: the prefix of its statements."""

    statements: str
    body: Body
    shows: Record

    def __call__(self, name: str) -> NamedQuery:
        """The statement `<kind>_<name>`."""
        return getattr(queries, f"{self.statements}_{name}")

    def shown(self, ids: list[int]) -> dict[int, Values]:
        """{id: record as in lists}."""
        found = self("list")(after_id=0, ids=ids, limit=len(ids), offset=0)["data"]
        return {record["id"]: record for record in loads(found or "[]")}


class BatchEntry(NamedTuple):
    """An entry of create, update or upsert; `shown`: the present record, empty for a new one."""

    word: str
    place: str
    values: Values
    shown: Values
    idle: bool = False


def perform(kind: BatchKind, request: Request, body: Values, skipping: bool) -> bytes:
    """The response; a batch above SMALL needs a slot and counts as several requests. skipping: without unknown ids."""
    size = sum(len(body[name]) for name in (*LISTS, "delete"))
    if size > SMALL:
        slots.hold(request, slots.BATCH)
        limits.count_again(request, (size - 1) // SMALL)
    for _ in range(ATTEMPTS - 1):
        try:
            return _perform(kind, body, skipping)
        except (UniqueViolation, CreatedMeanwhile):
            continue
    return _perform(kind, body, skipping)


def _perform(kind: BatchKind, body: Values, skipping: bool) -> bytes:
    with savepoint():
        violations = Violations(body[REFUSED])
        found = _locked(kind, body)
        body, skipped = _without_unknown(body, found) if skipping else (body, [])
        entries = list(_entries(kind, body, found, violations))
        _refuse_repeated(body, entries, violations)
        for index, id in enumerate(body["delete"]):
            if id is not None and id not in found:
                violations.add(f"delete.{index}", "unknown_reference")
        _refuse_clashes(kind, entries, violations)
        if violations:
            raise _refusal(violations)
        ids, deleted = _write(kind, entries), [id for id in body["delete"] if id is not None]
        _delete(kind, deleted)
        shown = kind.shown(list(ids.values()))
        lists = [
            [shown[ids[entry.place]] | _result(entry) for entry in entries if entry.word == word] for word in LISTS
        ]
        return dumps({**dict(zip(ANSWERED, (*lists, deleted), strict=True)), "skipped": skipped})


def _result(entry: BatchEntry) -> Values:
    return {"result": "updated" if entry.shown else "created"} if entry.word == "upsert" else {}


def _without_unknown(body: Values, found: dict[int, Values]) -> tuple[Values, list[Values]]:
    """(the body with None in place of entries whose id has no record, those entries)."""
    ids = {"update": [given and given["id"] for given in body["update"]], "delete": body["delete"]}
    skipped = [
        {"list": word, "index": index, "id": id}
        for word, given in ids.items()
        for index, id in enumerate(given)
        if id is not None and id not in found
    ]
    left = {
        word: [entry if id in found else None for entry, id in zip(body[word], given, strict=True)]
        for word, given in ids.items()
    }
    return body | left, skipped


def _locked(kind: BatchKind, body: Values) -> dict[int, Values]:
    """{id: present record} of the entries, locked in the order of ids."""
    ids = [*(given["id"] for given in body["update"] if given), *body["delete"]]
    external_ids = [given["external_id"] for given in body["upsert"] if given]
    rows = kind("batch_lock")(ids=ids, external_ids=external_ids)
    return kind.shown([row["id"] for row in rows])


def _entries(kind: BatchKind, body: Values, found: dict[int, Values], violations: Violations) -> Iterator[BatchEntry]:
    known, own = {record["external_id"]: record for record in found.values()}, definitions_of(kind.body)
    for word in LISTS:
        for index, given in enumerate(body[word]):
            if given is None:
                continue
            inner, shown = Violations(), {}
            if word != "create":
                shown = found.get(given["id"], {}) if word == "update" else known.get(given["external_id"], {})
            entry = BatchEntry(word, f"{word}.{index}", given, shown)
            named = shown or word == "create" or (word == "upsert" and given["external_id"])
            entry = (_read if named else _read_unnamed)(kind, entry, inner)
            if named and own and "fields" in entry.values:
                inner.take("", own.settle(entry.values, partial(shown.get, "fields"), patched=bool(shown)))
            violations.take(entry.place, inner)
            yield entry


def _read_unnamed(kind: BatchKind, entry: BatchEntry, violations: Violations) -> BatchEntry:
    """The entry of an unknown record; only the fields that it gives are checked."""
    given, found = entry.values, Violations()
    if given.get("id"):
        violations.add("id", "unknown_reference")
    violations.refuse_names(given.keys() - kind.body.fields.keys() - kind.shows.properties({}).keys())
    sent = {name: value for name, value in given.items() if name in kind.body.fields}
    values = found.check("", kind.body.read, sent) or {}
    violations.take("", (violation for violation in found if violation.code != "required"))
    # Its own record may have this external id.
    return entry._replace(values={**values, "external_id": None})


def _read(kind: BatchKind, entry: BatchEntry, violations: Violations) -> BatchEntry:
    """The entry with its checked values; a present record is merged as by PATCH."""
    document, idle = entry.values, False
    if entry.shown:
        sent = {name: value for name, value in document.items() if name not in kind.shows.unlisted}
        document, idle = merge_document("PATCH", kind.body, sent, lambda: entry.shown)
    values = violations.check("", kind.body.read, document) or {}
    violations.take("", kind.body.look_up(values))
    return entry._replace(values=values, idle=idle)


def _refuse_repeated(body: Values, entries: list[BatchEntry], violations: Violations) -> None:
    """Add a Violation for each record and external id that occurs again."""
    records = [(f"{entry.place}.{'id' if entry.word == 'update' else 'external_id'}", entry) for entry in entries]
    places = [(place, entry.shown["id"]) for place, entry in records if entry.shown]
    places += [(f"delete.{index}", id) for index, id in enumerate(body["delete"])]
    given = [(f"{entry.place}.external_id", entry.values.get("external_id")) for entry in entries if _is_named(entry)]
    repeated = dict.fromkeys([*_repeated(places), *_repeated(given)])
    for place in repeated:
        # A record that occurs twice has its external id twice.
        if f"{place.removesuffix('.external_id')}.id" not in repeated:
            violations.add(place, "repeated")


def _is_named(entry: BatchEntry) -> bool:
    """Whether the entry changes an external id, or selects its record by it."""
    return entry.word == "upsert" or entry.values.get("external_id") != entry.shown.get("external_id")


def _repeated(places: list[tuple[str, int | str | None]]) -> Iterator[str]:
    met: set[int | str | None] = {None}
    for place, value in places:
        if value in met and value is not None:
            yield place
        met.add(value)


def _refuse_clashes(kind: BatchKind, entries: list[BatchEntry], violations: Violations) -> None:
    """Add a Violation for each new reference without a record, and each external id of another record."""
    references: dict[str, list[str | int]] = {}
    keys: dict[str, list[str | int | None]] = {}
    nodes = [node for node in kind.body.children if isinstance(node.typ, Id | ExternalId)]
    for entry in entries:
        for node in nodes:
            value, of = entry.values.get(node.name), node.typ.of
            if value is None or value == entry.shown.get(node.name):
                continue
            if isinstance(node.typ, ExternalId):
                keys[f"{entry.place}.{node.name}"] = [of, value, entry.shown.get("id")]
            else:
                references[f"{entry.place}.{node.name}"] = [ACTIVE_SEAT if of == "seat" else of, value]
    for field in unknown_references(references):
        violations.add(field, "unknown_reference")
    for field in taken_keys(keys):
        violations.add(field, ExternalId.taken)


def _refusal(violations: Violations) -> Exception:
    if {violation.code for violation in violations} != {ExternalId.taken}:
        return Invalid(violations)
    raced = any(violation.name.startswith("upsert.") for violation in violations)
    return (CreatedMeanwhile if raced else Problem)(ExternalId.taken, violations=violations[:MAX_VIOLATIONS])


def _write(kind: BatchKind, entries: list[BatchEntry]) -> dict[str, int]:
    """Store the entries; returns {place: id}."""
    # In one order, so that two batches never wait for each other.
    new = sorted((entry for entry in entries if not entry.shown), key=lambda entry: entry.values["external_id"] or "")
    made = kind("insert")(rows=_rows(kind, [entry.values for entry in new])) if new else []
    changed = [{"id": entry.shown["id"], **entry.values} for entry in entries if entry.shown and not entry.idle]
    if changed:
        kind("update")(rows=_rows(kind, changed))
    present = {entry.place: entry.shown["id"] for entry in entries if entry.shown}
    ids = sorted(row["id"] for row in made)
    return present | {entry.place: id for entry, id in zip(new, ids, strict=True)}


def _rows(kind: BatchKind, records: list[Values]) -> str:
    return dumps([kind.body.columns(record) for record in records]).decode()


def _delete(kind: BatchKind, ids: list[int]) -> None:
    """Delete the records; raises 409 naming those in use."""
    try:
        with savepoint():
            kind("delete")(ids=ids)
    except ForeignKeyViolation:
        _delete_singly(kind, ids)


def _delete_singly(kind: BatchKind, ids: list[int]) -> None:
    problem, violations = Problem("in_use"), Violations()
    for index, id in enumerate(ids):
        try:
            with savepoint():
                kind("delete")(ids=[id])
        except ForeignKeyViolation as error:
            problem = not_none(database_problem(error, deleting=True))
            violations.add(f"delete.{index}", "in_use", problem.detail)
    if violations:
        problem.violations = violations[:MAX_VIOLATIONS]
        raise problem
