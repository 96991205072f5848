"""Converts amounts to minor units."""

from functools import partial

from pipeline.validation import Body, Money, Values, Violations


def into_minor_units(body: Body, values: Values, currency: str, place: str = "") -> Violations:
    """Converts Money fields in place; `place` precedes the names in violations."""
    violations = Violations()
    for node in body.children:
        if isinstance(node.typ, Money) and node.name in values:
            convert = partial(node.typ.minor_units, currency=currency)
            values[node.name] = violations.check(f"{place}{node.name}", convert, values[node.name])
    return violations
