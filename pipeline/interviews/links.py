"""What the link of a form says, and the browser that follows it: never a reason to refuse anybody."""

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from pipeline.http.inputs import read_query
from pipeline.http.request import Request
from pipeline.interviews.schemas import Form, Lenient
from pipeline.validation import Text

FORM = Form()
HIDDEN_LENGTH = 200
VALUE = Lenient(Text(HIDDEN_LENGTH))


class Link(NamedTuple):
    """`lang` is the language of the link (None without one), `accepted` are those of the browser, the best first;
    `carried` are all pairs of the link's query.
    """

    lang: str | None = None
    accepted: tuple[str, ...] = ()
    carried: tuple[tuple[str, str], ...] = ()

    def wanted(self, invited: str | None = None) -> Iterator[str | None]:
        """The languages to look for, the first one first; `invited` is the invite's."""
        yield from (self.lang, invited, *self.accepted)

    def hidden(self, names: Iterable[str]) -> dict[str, str]:
        """What the link brings for hidden fields: each value cut where it is too long, none that is given twice."""
        given = {name: [value for field, value in self.carried if field == name] for name in names}
        values = {name: VALUE.load(some[0][:HIDDEN_LENGTH]) for name, some in given.items() if len(some) == 1}
        return {name: value for name, value in values.items() if value is not None}


def read_link(request: Request) -> Link:
    """The Link of a request."""
    return Link(read_query(request, FORM)["lang"], tuple(_accepted(request)), tuple(request.GET.items()))


def _accepted(request: Request) -> Iterator[str]:
    """The languages of Accept-Language, those that are refused (`q=0`) and `*` left out; none of a broken header."""
    parsed = request.accept_language.parsed or ()
    return (tag for tag, quality in sorted(parsed, key=lambda pair: -pair[1]) if quality and tag != "*")
