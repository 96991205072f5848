"""Creates a deal's draft configuration from answers."""

from typing import Any

from pipeline.database import Row, queries
from pipeline.interviews.templates import field_map
from pipeline.interviews.templates.conditions import visible
from pipeline.validation.errors import Problem


def seed_configuration(invite_id: int) -> tuple[dict[str, Any], bool] | None:
    """Returns ({configuration_id, warnings}, whether it is new), or None.

    Raises 409 invite_not_submitted, 422 invite_has_no_deal, product_line_unanswered or configurator_not_found.
    """
    state = queries.configuration_seed_state(invite_id=invite_id)
    if state is None:
        return None
    if state["status"] != "submitted":
        raise Problem("invite_not_submitted")
    if state["configuration_id"]:
        return {"configuration_id": state["configuration_id"]}, False
    if state["deal_id"] is None:
        raise Problem("invite_has_no_deal")
    seen = visible(state, state["answers"], state["hidden_fields"])
    definition = _definition(seen.answers.get("product_line"))
    wanted = field_map.apply(state["field_map"], seen.counting)
    known, warnings = _known_choices(definition, wanted)
    found = {"invite_id": invite_id, "deal_id": state["deal_id"], "definition_id": definition["id"]}
    id = queries.configuration_insert(**found, **known, status="draft", once=True)
    if id is None:  # a concurrent request has created it
        return seed_configuration(invite_id)
    return {"configuration_id": id, **({"warnings": warnings} if warnings else {})}, True


def _definition(product_line: object) -> Row:
    if product_line is None:
        raise Problem("product_line_unanswered")
    slug = product_line if isinstance(product_line, str) else ""
    definition = queries.configurator_definition_by_slug(slug=slug)
    if definition is None:
        raise Problem("configurator_not_found", f'No active configurator definition has the slug "{slug[:80]}".')
    return definition


def _known_choices(definition: Row, wanted: dict[str, Any]) -> tuple[dict[str, Any], list[dict[str, str]]]:
    warnings, known = [], {"quantity": wanted["quantity"]}
    for target in ("platform_keys", "feature_keys"):
        known[target] = [key for key in wanted[target] if key in definition[target]]
        warnings += [_warning(target, key) for key in wanted[target] if key not in definition[target]]
    license_type = wanted["license_type"]
    known["license_type"] = license_type if license_type in definition["license_types"] else None
    if license_type and known["license_type"] is None:
        warnings.append(_warning("license_type", license_type))
    return known, warnings


def _warning(target: str, key: str) -> dict[str, str]:
    message = f'The configurator definition has no "{key}" among its {target.removesuffix("s")}s; it was left out.'
    return {"target": target, "key": key, "code": "unknown_key", "message": message}
