"""Converts amounts to minor units."""

from pipeline.validation import Body, Invalid, Money, Values, Violations


def into_minor_units(body: Body, values: Values, currency: str, place: str = "") -> Violations:
    """Converts Money fields in place; violations are prefixed with `place`."""
    violations, found = Violations(), Violations()
    for node in body.children:
        if isinstance(node.typ, Money) and node.name in values:
            amount = node.typ
            try:
                values[node.name] = amount.minor_units(values[node.name], currency)
            except Invalid as error:
                found.take(node.name, error.violations)
    violations.take(place, found)
    return violations
