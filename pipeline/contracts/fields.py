"""Own contract fields."""

from pipeline.contracts.own_fields import TYPES, OwnValue, wrong
from pipeline.database import dumps, queries
from pipeline.http.core.security import ADMIN, Identity
from pipeline.http.endpoints.declared import Records
from pipeline.http.endpoints.shapes import Record
from pipeline.validation import Body, Boolean, Choice, Invalid, Listing, Text, Values, Violations, optional, required

KEY = Text(
    40,
    pattern=r"[a-z](_?[a-z0-9])*_?",
    hint="Must be lower-case letters, digits and single underscores, a letter first.",
)


class Field(Body):
    """A changed field; `key` and `type` are fixed."""

    once = ("key", "type")
    label = required(Text())
    options = optional(Listing(Text(), max_items=200, unique=True), default=[])
    default = optional(OwnValue())
    required = optional(Boolean(), default=False)


class NewField(Field):
    """A new field."""

    key = required(KEY)
    type = required(Choice(*TYPES, "choice"))

    def check(self, values: Values, violations: Violations) -> None:
        if not violations:
            violations.take("", wrong(values))


def create_field(caller: Identity, body: Values) -> int:
    """The new id."""
    return queries.contract_field_insert(**_stored(body))


def update_field(caller: Identity, id: int, body: Values) -> None:
    """Replaces a field; 422 for a misfit of its type."""
    field = queries.contract_field_get(id=id)
    if field is None:
        return
    if violations := list(wrong({**body, "type": field["type"]})):
        raise Invalid(violations)
    queries.contract_field_update(id=id, **_stored(body))


def _stored(body: Values) -> Values:
    default = body.pop("default")
    return {**body, "initial": None if default is None else dumps(default).decode()}


fields = Records(
    "/contract-fields",
    "contract_field",
    write=ADMIN,
    body=Field(),
    shows=Record("contract_field", "An own field of contracts."),
    fails=("key_taken",),
)
fields.list("list_contract_fields")
fields.create("create_contract_field", body=NewField(), by=create_field)
fields.get("get_contract_field")
fields.update("update_contract_field", "patch_contract_field", by=update_field)
fields.delete("delete_contract_field")
