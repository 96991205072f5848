"""What is known of each endpoint: its contract, from which it is checked, answered and described."""

from typing import NamedTuple

from pipeline.http.ingress import JSON
from pipeline.http.limits import Bucket
from pipeline.http.security import Needed
from pipeline.http.shapes import Shape
from pipeline.http.uploads import UploadField
from pipeline.validation import Body

# The answers to these hold the record as it now is.
SHOWING = ("GET", "HEAD", "PUT")


class Contract(NamedTuple):
    """What an endpoint takes and gives; the documentation is generated from it.

    `changed(request)` gives the record, as a dict, of which PUT or PATCH takes the writable fields; None for actions.
    """

    view: object
    status: int
    access: str
    permission: str | Needed
    body: Body | None = None
    query: Body | None = None
    creates: bool = False
    upload: UploadField | None = None
    gives: str = JSON
    limit: Bucket | None = None
    opens: object = None
    replayable: bool = True
    heavy: str | None = None
    changed: object = None
    answer: Shape | None = None
    fails: tuple[str, ...] = ()
    found: int | None = None
    stale: bool = False

    def shows_record(self, method):
        """Whether the answer holds the record as it now is, and so comes with its entity tag.

        A new record whose answer must not be kept holds a secret beside it, which is shown this once.
        """
        shown = (self.creates and self.replayable) or method in SHOWING or self.changed is not None
        return shown or (self.upload is not None and self.status == 201)


def endpoints(registry):
    """Every (method, path pattern, contract) that is registered; for documentation and the isolation tests."""
    for service in registry.cornice_services.values():
        for method, _view, options in service.definitions:
            if method != "HEAD" and "schema" in options:
                yield method, service.path, options["schema"]


def shown_by(registry, path):
    """The view that GETs the record of a path: the path's own, or for an action (`…/{id}/expire`) its record's."""
    views = {
        known: contract.view
        for method, known, contract in endpoints(registry)
        if method == "GET" and contract.query is None
    }
    while path not in views and not path.endswith("}") and path:
        path = path.rpartition("/")[0]
    return views.get(path)
