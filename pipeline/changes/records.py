"""The present records of changes, as their GET shows them to the caller."""

from collections import defaultdict
from collections.abc import Sequence
from typing import Any, NamedTuple

import orjson

from pipeline.database import dumps, queries
from pipeline.database.queries import Query
from pipeline.http.core.request import Registry, Request
from pipeline.http.core.security import refusal
from pipeline.http.endpoints.contract import Contract
from pipeline.http.endpoints.shapes import Record
from pipeline.validation import Values

# Changes whose records are read at once; bytes of records in a response.
AT_ONCE, MOST_BYTES = 50, 4 * 1024 * 1024

Change = dict[str, Any]


class RecordType(NamedTuple):
    """A type of record, with the type of its parent."""

    type: str
    parent: str | None

    @property
    def path(self) -> str:
        if self.parent:
            return f"/api/{self.parent}/{{id}}/{self.type}/{{{self.type[:-1].rpartition('-')[2]}Id}}"
        return "/api/organization" if self.type == "organization" else f"/api/{self.type}/{{id}}"


def add_records(feed: bytes, request: Request) -> bytes:
    """The feed with the record of each change. It ends early after MOST_BYTES."""
    found = orjson.loads(feed)
    page: list[Change] = []
    size = 0
    for start in range(0, len(found["data"]), AT_ONCE):
        changes = found["data"][start : start + AT_ONCE]
        for change, record in zip(changes, _records(changes, request), strict=True):
            size += len(record or "")
            if page and size > MOST_BYTES:
                return dumps({"data": page, "next": page[-1]["cursor"], "more": True})
            page.append({**change, "record": record and orjson.Fragment(record)})
    return dumps({**found, "data": page})


def _records(changes: Sequence[Change], request: Request) -> list[str | None]:
    """The record of each change as JSON, or None; one statement for each RecordType."""
    places: dict[RecordType, list[int]] = defaultdict(list)
    for place, change in enumerate(changes):
        if change["action"] != "deleted":
            places[RecordType(change["type"], change["parent_type"])].append(place)
    records: list[str | None] = [None] * len(changes)
    for kind, of_kind in places.items():
        shown = _records_of_type(kind, [changes[place] for place in of_kind], request)
        for place, record in zip(of_kind, shown, strict=False):
            records[place] = record
    return records


def _records_of_type(kind: RecordType, changes: Sequence[Change], request: Request) -> list[str | None]:
    """Records of one type as JSON; empty if the caller may not read them."""
    contract = _get(request.registry, kind.path)
    if refusal(request.caller, contract.access, contract.scopes):
        return []
    query = _query(contract)
    if "id" not in query.parameters:
        return [query.json().decode()] * len(changes)
    by, given = {"id": [change["id"] for change in changes]}, Values()
    if kind.parent:
        given = dict.fromkeys({"lead_id", "contract_id"} & set(query.parameters))
        by[f"{kind.parent[:-1]}_id"] = [change["parent_id"] for change in changes]
    if "forms_url" in query.parameters:
        given["forms_url"] = request.registry.pipeline.interviews_url
    return query.each(by, **given)


def _query(contract: Contract) -> Query:
    if not isinstance(contract.answer, Record):
        raise TypeError(f"{contract.path} shows no record.")
    return getattr(queries, f"{contract.answer.record}_get")


def _get(registry: Registry, path: str) -> Contract:
    definitions = registry.cornice_services[path].definitions
    return next(options["schema"] for method, _view, options in definitions if method == "GET")
