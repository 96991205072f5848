"""What each endpoint takes, gives and needs."""

import dataclasses
import functools
from collections.abc import Callable, Iterator
from typing import Any, Protocol

from pyramid.response import Response

from pipeline.api.merge_patch import MERGE_PATCH
from pipeline.api.shapes import Shape
from pipeline.api.uploads import UploadField
from pipeline.database import APP, Database
from pipeline.http.bodies import JSON, OCTETS
from pipeline.http.fairness.limits import Bucket
from pipeline.http.request import Registry, Request, View
from pipeline.validation import Body, Values
from pipeline.validation.errors import Problem

# The transaction of a page without one.
NONE = "none"
SHOWING = ("GET", "PUT")
CHANGES = ("PUT", "PATCH", "DELETE")


class Visitor(Protocol):
    """A request for a page."""

    @property
    def pool(self) -> Database | None: ...

    def admit(self, endpoint: "Endpoint") -> None: ...

    def failed(self, problem: Problem) -> Response: ...


@dataclasses.dataclass(frozen=True, eq=False)
class Endpoint:
    """An endpoint's request, response, transaction and rights."""

    method: str
    path: str
    view: View
    status: int
    # A role, or PUBLIC.
    access: str
    scopes: tuple[str, ...]
    body: Body | None = None
    query: Body | None = None
    creates: bool = False
    upload: UploadField | None = None
    gives: str = JSON
    limit: Bucket | None = None
    # APP, FORMS or NONE.
    transaction: str = APP
    # Opens the form of a public POST for Idempotency-Key.
    opens: Callable[..., object] | None = None
    replayable: bool = True
    heavy: str | None = None
    # Returns the present record.
    changed: Callable[[Request], Values] | None = None
    answer: Shape | None = None
    # Further failure codes.
    fails: tuple[str, ...] = ()
    # The status of an Answer that created nothing.
    found: int | None = None
    # The record of a Later, which the view returns if the client prefers that.
    later: Shape | None = None
    # The view returns a Stream.
    streams: bool = False
    # Returns the question to a server outside that the input needs, or None. It is asked without a transaction.
    asks: Callable[[Request], Callable[[], None] | None] | None = None
    # Runs after the commit.
    renders: Callable[[Any], Response] | None = None
    # Gives an entity tag.
    tagged: bool = False
    form: bool = False
    visit: Callable[[Request], Visitor] | None = None

    @functools.cached_property
    def shows_record(self) -> bool:
        """Whether the response is the record with its entity tag.

        A record that is not replayable holds a secret.
        """
        shown = (self.creates and self.replayable) or self.method in SHOWING or self.changed is not None
        return shown or (self.upload is not None and self.status == 201)

    @functools.cached_property
    def offers(self) -> tuple[str, ...]:
        """The types of a success. A file is offered as bytes too: some generated clients know no other type."""
        types = tuple(self.gives.split(", "))
        is_text = all(media_type == JSON or media_type.startswith("text/") for media_type in types)
        return types if is_text else (OCTETS, *types)

    @functools.cached_property
    def media_types(self) -> tuple[str, ...]:
        return (MERGE_PATCH, JSON) if self.merges else (JSON,)

    @functools.cached_property
    def merges(self) -> bool:
        """Whether the body is merged into the record."""
        return self.changed is not None and self.method == "PATCH"

    @functools.cached_property
    def checks_if_match(self) -> bool:
        """Whether If-Match applies: not to creation."""
        if self.visit is not None:
            return False
        return self.method in CHANGES or (self.method == "POST" and ("{" in self.path or self.upload is not None))


def endpoints(registry: Registry) -> Iterator[Endpoint]:
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


def shown_for(registry: Registry, endpoint: Endpoint) -> View | None:
    """The view of the record that If-Match means: for a POST its parent's (`…/{id}/qualify`: the lead)."""
    if endpoint.method == "POST":
        return shown_by(registry, endpoint.path.rpartition("/")[0])
    return registry.cornice_services[endpoint.path].shown or shown_by(registry, endpoint.path)
