"""The bodies and responses of batches."""

from typing import Any

from pipeline.api.merge_patch import patch_of
from pipeline.api.shapes import COUNT, ID, Record, Shape, listed, word
from pipeline.validation import (
    Body,
    Choice,
    ExternalId,
    Id,
    Invalid,
    Listing,
    Query,
    Schema,
    Type,
    Values,
    Violations,
    optional,
    refuse,
)
from pipeline.validation.nested import COMPONENTS

# Entries of a batch. Each SMALL of them count as one request.
MOST, SMALL = 500, 50
LISTS = ("create", "update", "upsert")
ANSWERED = ("created", "updated", "upserted", "deleted")
# The violations that Batch.read has found.
REFUSED = "refused"


SKIPPED = Shape(
    "SkippedEntry",
    "An entry of a batch whose id has no record.",
    list={**word("update", "delete"), "description": "The list of the batch."},
    index={**COUNT, "description": "The place in this list, from 0."},
    id=ID,
)


class BatchOptions(Query):
    """What a batch does with unknown ids."""

    on_unknown = optional(Choice("fail", "skip"), default="fail")


class Entry(Type):
    """A new record or the change of one; `key`: the type of its `id` or `external_id`. The rest is checked later."""

    def __init__(self, component: str, body: Body, **key: Type) -> None:
        self.component, self.body, self.key = component, body, key

    def read(self, given: Any) -> Values:
        if not isinstance(given, dict):
            refuse("wrong_type", wanted="an object")
        violations, values = Violations(), dict(given)
        for name, kind in self.key.items():
            values[name] = violations.need(name, kind.load, given.get(name))
        if violations:
            raise Invalid(violations, values)
        return values

    def describe(self) -> Schema:
        return {"$ref": COMPONENTS + self.component}

    def collect(self, schemas: dict[str, Schema]) -> None:
        if not self.key:
            schemas[self.component] = self.body.describe()
            return
        schema = patch_of(self.body)
        key = {name: kind.describe() for name, kind in self.key.items()}
        schemas[self.component] = {**schema, "required": list(key), "properties": schema["properties"] | key}


class Batch(Body):
    """Entries of a batch."""

    def read(self, given: Any) -> Values:
        """As Body.read; violations within lists are REFUSED, because entries have further ones."""
        try:
            return super().read(given) | {REFUSED: []}
        except Invalid as error:
            places = {violation.name for violation in error.violations if violation.code == "too_long"}
            if error.value is None or places & {*LISTS, "delete"}:
                raise
            return dict.fromkeys((*LISTS, "delete"), []) | error.value | {REFUSED: error.violations}

    def check(self, values: Values, violations: Violations) -> None:
        room = MOST
        for name in (*LISTS, "delete"):
            room -= len(values.get(name, ()))
            if room < 0:
                return violations.add(name, "too_long", f"A batch may have at most {MOST} entries.")
        return None


def batch_of(body: Body, shows: Record) -> tuple[Batch, Shape]:
    """(the body, the response) of a kind's batches."""
    noun, (external_id,) = shows.component, (node.typ for node in body.children if isinstance(node.typ, ExternalId))
    entries = {
        "create": Entry(f"New{noun}", body),
        "update": Entry(f"{noun}Change", body, id=Id()),
        "upsert": Entry(f"{noun}Upsert", body, external_id=external_id),
        "delete": Id(),
    }
    lists = {name: optional(Listing(entry, MOST), default=[]) for name, entry in entries.items()}
    item = shows.item()
    upserted = Record(
        shows.record,
        f"{noun} of an upsert, and whether it was created or updated.",
        component=f"{noun}Upserted",
        left_out=(*shows.left_out, *shows.unlisted),
        added={**(shows.added or {}), "result": word("created", "updated")},
        **shows.members,
    )
    shown = dict.fromkeys(ANSWERED[:2], listed(item, maxItems=MOST))
    answer = Shape(
        f"{noun}Batch",
        "The records of a batch as in lists, in the order of the request.",
        **shown,
        upserted={
            **listed(upserted, maxItems=MOST),
            "description": "The changed and new records, in the order of the request.",
        },
        deleted={**listed(ID, maxItems=MOST), "description": "The ids of the deleted records."},
        skipped=listed(SKIPPED, maxItems=MOST),
    )
    return type(f"{noun}BatchBody", (Batch,), lists)(), answer
