"""The server of a prospect's form (docs/citus.md)."""

from pipeline.database import Database
from pipeline.http.request import Request

# Path parameters, and kinds for `Database.holding`.
TOKEN, SLUG = "token", "slug"


def form_database(request: Request) -> Database:
    """The pool of the path's form, if any."""
    forms, path = request.registry.forms, request.matchdict
    kind = next((kind for kind in (TOKEN, SLUG) if kind in path), None)
    return forms.holding(kind, path[kind]) if kind else forms
