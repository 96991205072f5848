"""Amounts of records: sent as numbers with their currency's decimals, kept as whole minor units."""

from pipeline.validation import Body, Invalid, Money, Values, Violations


def into_minor_units(body: Body, values: Values, currency: str, place: str = "") -> Violations:
    """Make minor units of the amounts in a body's values, in place; what the currency cannot have is named.

    place: where the values stand in the request, for instance `lines.0`.
    """
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
