"""Configurator definitions and configurations. Where a function answers None, there is no such record."""

from pipeline.database import queries
from pipeline.pages import list_page
from pipeline.validation import Invalid, Violation


def list_definitions(query):
    """The Page of definitions that a ConfiguratorDefinitions query asks for."""
    return list_page(query, queries.configurator_definition_list)


def get_definition(id):
    """One definition as JSON bytes, or None."""
    return queries.configurator_definition_get.json(id=id)


def create_definition(body):
    """A new definition: JSON bytes; 409 when its slug is taken."""
    return get_definition(queries.configurator_definition_insert(**body))


def update_definition(id, body):
    """Replace a definition's fields: JSON bytes, or None; configurations keep what was chosen before."""
    queries.configurator_definition_update(id=id, **body)
    return get_definition(id)


def delete_definition(id):
    """Delete a definition: how many were deleted; 409 while a configuration rests on it."""
    return queries.configurator_definition_delete(id=id)


def list_configurations(query):
    """The Page of configurations that a Configurations query asks for."""
    return list_page(query, queries.configuration_list)


def get_configuration(id):
    """One configuration as JSON bytes, or None."""
    return queries.configuration_get.json(id=id)


def create_configuration(body):
    """A new configuration: JSON bytes; 422 names what the definition lacks, 409 when the invite has one."""
    id = queries.configuration_insert(**body)
    _check_choices(body)
    return get_configuration(id)


def update_configuration(id, body):
    """Replace a configuration's fields: JSON bytes, or None; its status left out stays, its invite always."""
    if not queries.configuration_update(id=id, **body):
        return None
    _check_choices(body)
    return get_configuration(id)


def delete_configuration(id):
    """Delete a configuration: how many were deleted."""
    return queries.configuration_delete(id=id)


def _check_choices(body):
    """Raise the 422 for keys and a license type that the definition lacks."""
    definition = queries.configurator_definition_choices(id=body["definition_id"])
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
