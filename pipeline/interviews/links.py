"""What the link of a form says, and the browser that follows it: never a reason to refuse anybody."""

from collections.abc import Iterator
from typing import NamedTuple

from pipeline.http.inputs import read_query
from pipeline.interviews.schemas import Form

FORM = Form()


class Link(NamedTuple):
    """`lang` is the language of the link (None without one), `accepted` are those of the browser, the best first."""

    lang: str | None = None
    accepted: tuple[str, ...] = ()

    def wanted(self, invited: str | None = None) -> Iterator[str | None]:
        """The languages to look for, the first one first; `invited` is the invite's."""
        yield from (self.lang, invited, *self.accepted)


def read_link(request) -> Link:
    """The Link of a request."""
    return Link(read_query(request, FORM)["lang"], tuple(_accepted(request)))


def _accepted(request) -> Iterator[str]:
    """The languages of Accept-Language, those that are refused (`q=0`) and `*` left out; none of a broken header."""
    parsed = request.accept_language.parsed or ()
    return (tag for tag, quality in sorted(parsed, key=lambda pair: -pair[1]) if quality and tag != "*")
