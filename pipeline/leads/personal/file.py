"""Streams a person's data as JSON."""

import itertools
from collections.abc import Iterator
from operator import itemgetter
from typing import Any

from psycopg import RawCursor
from psycopg.rows import tuple_row

from pipeline.api.streams import Stream, join_pieces
from pipeline.database import Connection, dumps, queries
from pipeline.database.queries import SentQuery
from pipeline.http.bodies import JSON
from pipeline.leads.personal.shapes import SECTIONS


def personal_data(id: int) -> Stream | None:
    """Returns the file, or None."""
    queries.transfer_patience()
    person = queries.person_find(id=id)
    if person is None:
        return None
    ids = {name: person[name] for name in ("leads", "contacts", "invites", "emails", "deals", "signers")}
    head = {"lead_id": id, "addresses": person["addresses"]}
    sent = queries.person_data.sent(ids)
    filename = f"personal-data-lead-{id}.json"
    return Stream(lambda connection: join_pieces(_pieces(head, sent, connection)), JSON, filename)


def _pieces(head: dict[str, Any], sent: SentQuery, connection: Connection) -> Iterator[bytes]:
    yield dumps(head)[:-1]
    with RawCursor(connection, row_factory=tuple_row) as cursor:
        rows = itertools.groupby(cursor.stream(sent.text, sent.values), itemgetter(0))
        section, records = next(rows, (None, ()))
        for name in SECTIONS:
            yield f',"{name}":['.encode()
            if name == section:
                for number, (_section, record) in enumerate(records):
                    yield (("," if number else "") + record).encode()
                section, records = next(rows, (None, ()))
            yield b"]"
    yield b"}"
