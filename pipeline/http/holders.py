"""The transaction of a prospect's request, on its form's server (docs/citus.md)."""

from pipeline.http.request import Request

# Path parameters, and kinds for `Database.holding`.
TOKEN, SLUG = "token", "slug"


def begin_form(request: Request) -> None:
    """Begin the transaction for the path's form, if any."""
    forms, path = request.registry.forms, request.matchdict
    kind = next((kind for kind in (TOKEN, SLUG) if kind in path), None)
    request.transaction.begin(forms.holding(kind, path[kind]) if kind else forms)
