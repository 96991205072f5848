"""Configurator definitions and configurations."""

from pipeline.api.declared import Records
from pipeline.api.shapes import TEXT, Record
from pipeline.database import dumps, not_none, queries
from pipeline.http.scopes import RECORDS
from pipeline.http.security import ADMIN, Identity
from pipeline.validation import (
    Body,
    Boolean,
    Choice,
    Choices,
    Id,
    Integer,
    Invalid,
    Listing,
    Mapping,
    Name,
    Slug,
    Text,
    Values,
    Violation,
    optional,
    required,
)
from pipeline.validation.violations import step

KEYS = Listing(Text(max_length=80), max_items=500, unique=True)
STATUSES = ("draft", "final")


class Definition(Body):
    """The choices for a product line."""

    name = required(Name())
    # Interview answers may hold underscores and select a definition by slug.
    slug = required(Slug("definition", "_-", "hyphens or underscores"))
    active = optional(Boolean(), default=True)
    platform_keys = optional(KEYS, default=[])
    feature_keys = optional(KEYS, default=[])
    license_types = optional(KEYS, default=[])
    labels = optional(Mapping(Text()), default={})


class Configuration(Body):
    """A deal's choices; `status` defaults to draft, or unchanged on update."""

    deal_id = required(Id("deal"))
    definition_id = required(Id("definition"))
    status = optional(Choice(*STATUSES))
    platform_keys = optional(KEYS, default=[])
    feature_keys = optional(KEYS, default=[])
    license_type = optional(Text(max_length=80))
    quantity = optional(Integer(max=10**12))


class NewConfiguration(Configuration):
    """A new configuration; `invite_id` cannot change later."""

    invite_id = optional(Id("invite"))


def create_definition(caller: Identity, body: Values) -> int:
    """Returns the new id; 422 for labels of unknown keys."""
    return queries.configurator_definition_insert(**_labelled(body))


def update_definition(caller: Identity, id: int, body: Values) -> None:
    """Replaces a definition; 422 for labels of unknown keys."""
    queries.configurator_definition_update(id=id, **_labelled(body))


def _labelled(body: Values) -> Values:
    known = {*body["platform_keys"], *body["feature_keys"], *body["license_types"]}
    violations = [
        Violation(f"labels.{step(key)}", "unknown_key", "The definition has no such key.")
        for key in body["labels"]
        if key not in known
    ]
    if violations:
        raise Invalid(violations)
    return {**body, "labels": dumps(body["labels"]).decode()}


def create_configuration(caller: Identity, body: Values) -> int:
    """Returns the new id; 422 for unknown keys, 409 if the invite has one."""
    id = queries.configuration_insert(**body)
    _check_choices(body)
    return id


def update_configuration(caller: Identity, id: int, body: Values) -> None:
    """Replaces a configuration; 422 for unknown keys."""
    if queries.configuration_update(id=id, **body):
        _check_choices(body)


def _check_choices(body: Values) -> None:
    definition = not_none(queries.configurator_definition_choices(id=body["definition_id"]))
    violations = [
        Violation(f"{field}.{index}", "unknown_key", "The configurator definition has no such key.")
        for field in ("platform_keys", "feature_keys")
        for index, key in enumerate(body[field])
        if key not in definition[field]
    ]
    if body["license_type"] is not None and body["license_type"] not in definition["license_types"]:
        violations.append(
            Violation("license_type", "unknown_key", "The configurator definition has no such license type.")
        )
    if violations:
        raise Invalid(violations)


definitions = Records(
    "/configurator-definitions",
    "configurator_definition",
    area=RECORDS,
    write=ADMIN,
    body=Definition(),
    fails=("slug_taken",),
)
definitions.list("list_configurator_definitions")
definitions.create("create_configurator_definition", by=create_definition)
definitions.get("get_configurator_definition")
definitions.update("update_configurator_definition", "patch_configurator_definition", by=update_definition)
definitions.delete("delete_configurator_definition")

configurations = Records(
    "/configurations",
    "configuration",
    area=RECORDS,
    body=Configuration(),
    shows=Record("configuration", "The selected options of a deal.", deal_title=TEXT, definition_name=TEXT),
    fails=("configuration_exists",),
)
configurations.list("list_configurations", filters={"status": Choices(*STATUSES)})
configurations.create("create_configuration", body=NewConfiguration(), by=create_configuration)
configurations.get("get_configuration")
configurations.update("update_configuration", "patch_configuration", by=update_configuration)
configurations.delete("delete_configuration")
