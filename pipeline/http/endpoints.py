"""The contract of each endpoint."""

from collections.abc import Callable, Iterator
from typing import NamedTuple, TypedDict

from pipeline.database import CHANGES
from pipeline.http.changes import MERGE_PATCH
from pipeline.http.ingress import JSON, OCTETS
from pipeline.http.limits import Bucket
from pipeline.http.request import Registry, Request, View
from pipeline.http.security import Needed
from pipeline.http.shapes import Shape
from pipeline.http.uploads import UploadField
from pipeline.validation import Body, Values

SHOWING = ("GET", "PUT")


class Options(TypedDict, total=False):
    """Options of a declaration, fields of its Contract."""

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
    """An endpoint's request, response and permission; `changed` returns the present record."""

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
        """Whether the response is the record with its entity tag.

        A record that is not replayable holds a secret.
        """
        shown = (self.creates and self.replayable) or self.method in SHOWING or self.changed is not None
        return shown or (self.upload is not None and self.status == 201)

    @property
    def offers(self) -> tuple[str, ...]:
        """The types of a success. A file is offered as bytes too: some generated clients know no other type."""
        types = tuple(self.gives.split(", "))
        is_text = all(media_type == JSON or media_type.startswith("text/") for media_type in types)
        return types if is_text else (OCTETS, *types)

    @property
    def media_types(self) -> tuple[str, ...]:
        """The types of a JSON body."""
        merges = self.changed is not None and self.method == "PATCH"
        return (MERGE_PATCH, JSON) if merges else (JSON,)

    @property
    def heeds_tag(self) -> bool:
        """Whether If-Match applies: not to creation."""
        return self.method in CHANGES or (self.method == "POST" and ("{" in self.path or self.upload is not None))


def endpoints(registry: Registry) -> Iterator[Contract]:
    """The contracts of all registered endpoints."""
    for service in registry.cornice_services.values():
        for method, _view, options in service.definitions:
            if method != "HEAD" and "schema" in options:
                yield options["schema"]


def shown_by(registry: Registry, path: str) -> View | None:
    """The GET view of a path; for an action (`…/{id}/expire`) of its parent."""
    views = {known: resource.own for known, resource in registry.cornice_services.items() if resource.own}
    while path not in views and not path.endswith("}") and path:
        path = path.rpartition("/")[0]
    return views.get(path)
