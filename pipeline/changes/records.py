"""The present records of changes, as their GET shows them to the caller."""

from collections import defaultdict
from collections.abc import Sequence
from typing import Any, NamedTuple

import orjson
import psycopg
import structlog

from pipeline.api.endpoint import Endpoint
from pipeline.api.shapes import Record
from pipeline.database import dumps, queries, savepoint
from pipeline.database.queries import NamedQuery
from pipeline.http.request import Registry, Request
from pipeline.http.security import refusal
from pipeline.validation import Values

# Changes whose records are read at once; bytes of records in a response.
AT_ONCE, MOST_BYTES = 50, 4 * 1024 * 1024

Change = dict[str, Any]

log = structlog.get_logger(__name__)


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
        shown = _readable(kind, [changes[place] for place in of_kind], request)
        for place, record in zip(of_kind, shown, strict=True):
            records[place] = record
    return records


def _readable(kind: RecordType, changes: Sequence[Change], request: Request) -> list[str | None]:
    """Records of one type as JSON; None for one that cannot be read, which hides no other."""
    try:
        with savepoint():
            return _records_of_type(kind, changes, request)
    except psycopg.OperationalError:
        raise
    except Exception as error:
        if len(changes) > 1:
            return [record for change in changes for record in _readable(kind, [change], request)]
        log.error("change without its record", type=kind.type, id=changes[0]["id"], exc_info=error)
        return [None]


def _records_of_type(kind: RecordType, changes: Sequence[Change], request: Request) -> list[str | None]:
    """Records of one type as JSON; None if the caller may not read them."""
    endpoint = _get(request.registry, kind.path)
    if refusal(request.caller, endpoint.access, endpoint.scopes):
        return [None] * len(changes)
    query = _query(endpoint)
    if "id" not in query.parameters:
        return [query.json().decode()] * len(changes)
    by, given = {"id": [change["id"] for change in changes]}, Values()
    if kind.parent:
        given = dict.fromkeys({"lead_id", "contract_id"} & set(query.parameters))
        by[f"{kind.parent[:-1]}_id"] = [change["parent_id"] for change in changes]
    if "forms_url" in query.parameters:
        given["forms_url"] = request.registry.pipeline.interviews_url
    return query.each(by, **given)


def _query(endpoint: Endpoint) -> NamedQuery:
    if not isinstance(endpoint.answer, Record):
        raise TypeError(f"{endpoint.path} shows no record.")
    return getattr(queries, f"{endpoint.answer.record}_get")


def _get(registry: Registry, path: str) -> Endpoint:
    definitions = registry.cornice_services[path].definitions
    return next(options["schema"] for method, _view, options in definitions if method == "GET")
