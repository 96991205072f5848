"""What is known of each endpoint: its contract, from which it is checked, answered and described."""

from collections.abc import Callable, Iterator
from typing import NamedTuple, TypedDict

from pipeline.database import CHANGES
from pipeline.http.ingress import JSON
from pipeline.http.limits import Bucket
from pipeline.http.request import Registry, Request, View
from pipeline.http.security import Needed
from pipeline.http.shapes import Shape
from pipeline.http.uploads import UploadField
from pipeline.validation import Body, Values

# The answers to these hold the record as it now is.
SHOWING = ("GET", "PUT")


class Options(TypedDict, total=False):
    """What a declaration may say beside who may ask; they become the fields of the same names of its Contract."""

    body: Body | None
    query: Body | None
    creates: bool
    upload: UploadField
    gives: str
    limit: Bucket
    opens: Callable[..., object]
    replayable: bool
    heavy: str
    changed: Callable[[Request], Values]
    answer: Shape
    fails: tuple[str, ...]
    found: int
    stale: bool
    tagged: bool


class Contract(NamedTuple):
    """What an endpoint takes and gives; the documentation is generated from it.

    `changed` gives the record of which PUT or PATCH takes the writable fields; None for actions.
    """

    method: str
    path: str
    view: View
    status: int
    access: str
    permission: str | Needed
    body: Body | None = None
    query: Body | None = None
    creates: bool = False
    upload: UploadField | None = None
    gives: str = JSON
    limit: Bucket | None = None
    opens: Callable[..., object] | None = None
    replayable: bool = True
    heavy: str | None = None
    changed: Callable[[Request], Values] | None = None
    answer: Shape | None = None
    fails: tuple[str, ...] = ()
    found: int | None = None
    stale: bool = False
    tagged: bool = False

    @property
    def shows_record(self) -> bool:
        """Whether the answer holds the record as it now is, and so comes with its entity tag.

        A new record whose answer must not be kept holds a secret beside it, which is shown this once.
        """
        shown = (self.creates and self.replayable) or self.method in SHOWING or self.changed is not None
        return shown or (self.upload is not None and self.status == 201)

    @property
    def heeds_tag(self) -> bool:
        """Whether If-Match is compared with the tag of the record that a request changes: not where one is created."""
        return self.method in CHANGES or (self.method == "POST" and ("{" in self.path or self.upload is not None))


def endpoints(registry: Registry) -> Iterator[Contract]:
    """The contract of every endpoint that is registered; for documentation and the isolation tests."""
    for service in registry.cornice_services.values():
        for method, _view, options in service.definitions:
            if method != "HEAD" and "schema" in options:
                yield options["schema"]


def shown_by(registry: Registry, path: str) -> View | None:
    """The view that GETs the record of a path: the path's own, or for an action (`…/{id}/expire`) its record's."""
    views = {known: resource.own for known, resource in registry.cornice_services.items() if resource.own}
    while path not in views and not path.endswith("}") and path:
        path = path.rpartition("/")[0]
    return views.get(path)
