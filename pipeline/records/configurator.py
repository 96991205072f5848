"""Configurator definitions, and configurations: what is chosen for a deal, out of a definition."""

from pipeline.database import dumps, queries, sure
from pipeline.http.declared import record
from pipeline.http.security import ADMIN, Identity
from pipeline.http.shapes import TEXT, Record
from pipeline.validation import (
    Body,
    Boolean,
    Choice,
    Id,
    Integer,
    Invalid,
    Listing,
    Mapping,
    Slug,
    Text,
    Values,
    Violation,
    optional,
    required,
)
from pipeline.validation.violations import step

KEYS = Listing(Text(max_length=80), max_items=500, unique=True)
STATUS = Choice("draft", "final")


class Definition(Body):
    """What can be chosen for a product line."""

    name = required(Text())
    # Answers of an interview name a definition by its slug, and their values may hold underscores.
    slug = required(Slug("_-", "hyphens or underscores"))
    active = optional(Boolean(), default=True)
    platform_keys = optional(KEYS, default=[])
    feature_keys = optional(KEYS, default=[])
    license_types = optional(KEYS, default=[])
    labels = optional(Mapping(Text()), default={})


class Configuration(Body):
    """What is chosen; its status left out stays, and is a draft's at first."""

    once = ("invite_id",)
    deal_id = required(Id("deal"))
    definition_id = required(Id("definition"))
    status = optional(STATUS)
    platform_keys = optional(KEYS, default=[])
    feature_keys = optional(KEYS, default=[])
    license_type = optional(Text(max_length=80))
    quantity = optional(Integer(max=10**12))


class NewConfiguration(Configuration):
    """A configuration may be that of an invite, for good."""

    invite_id = optional(Id("invite"))


def create_definition(caller: Identity, body: Values) -> int:
    """A new definition: its id; 422 names the labels of what it lacks."""
    return queries.configurator_definition_insert(**_labelled(body))


def update_definition(caller: Identity, id: int, body: Values) -> None:
    """Replace a definition's fields, if there is one."""
    queries.configurator_definition_update(id=id, **_labelled(body))


def _labelled(body: Values) -> Values:
    """A definition's columns; raises the 422 for labels of keys that it lacks."""
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
    """A new configuration: its id; 422 names what the definition lacks, 409 when the invite has one."""
    id = queries.configuration_insert(**body)
    _check_choices(body)
    return id


def update_configuration(caller: Identity, id: int, body: Values) -> None:
    """Replace a configuration's fields, if there is one."""
    if queries.configuration_update(id=id, **body):
        _check_choices(body)


def _check_choices(body: Values) -> None:
    """Raise the 422 for keys and a license type that the definition lacks."""
    definition = sure(queries.configurator_definition_choices(id=body["definition_id"]))
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


definitions, definition = record(
    "/configurator-definitions",
    "configurator_definition",
    "configurator_definitions",
    write=ADMIN,
    body=Definition(),
    fails=("slug_taken",),
    create=create_definition,
    update=update_definition,
)
configurations, configuration = record(
    "/configurations",
    "configuration",
    "configurations",
    new=NewConfiguration(),
    body=Configuration(),
    filters={"status": STATUS},
    shows=Record("configuration", "What is chosen for a deal.", deal_title=TEXT, definition_name=TEXT),
    fails=("configuration_exists",),
    create=create_configuration,
    update=update_configuration,
)
