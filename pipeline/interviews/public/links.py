"""Reads a form's link; invalid values count as absent."""

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from pipeline.api.input import read_query
from pipeline.http.request import Request
from pipeline.interviews.schemas import Form
from pipeline.validation import AbsentIfInvalid, Text

FORM = Form()
HIDDEN_LENGTH = 200
VALUE = AbsentIfInvalid(Text(HIDDEN_LENGTH))


class Link(NamedTuple):
    """The link's language, the browser's languages by preference, the query's pairs."""

    lang: str | None = None
    accepted: tuple[str, ...] = ()
    carried: tuple[tuple[str, str], ...] = ()

    def preferred_languages(self, invited: str | None = None) -> Iterator[str | None]:
        """Yields languages in order of preference."""
        yield from (self.lang, invited, *self.accepted)

    def hidden_values(self, names: Iterable[str]) -> dict[str, str]:
        """Returns the values of hidden fields; repeated names are ignored."""
        given = {name: [value for field, value in self.carried if field == name] for name in names}
        values = {name: VALUE.load(some[0][:HIDDEN_LENGTH]) for name, some in given.items() if len(some) == 1}
        return {name: value for name, value in values.items() if value is not None}


def read_link(request: Request) -> Link:
    return Link(read_query(request, FORM)["lang"], tuple(_accepted(request)), tuple(request.GET.items()))


def _accepted(request: Request) -> Iterator[str]:
    parsed = request.accept_language.parsed or ()
    return (tag for tag, quality in sorted(parsed, key=lambda pair: -pair[1]) if quality and tag != "*")
