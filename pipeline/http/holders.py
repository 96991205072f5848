"""The transaction of a prospect's request, on the server of its form (docs/citus.md)."""

from pipeline.http.request import Request

# Path parameters that identify a form, also the kinds of its lookup.
TOKEN, SLUG = "token", "slug"


def begin_form(request: Request) -> None:
    """Begin the transaction for the form in the path, if any."""
    forms, path = request.registry.forms, request.matchdict
    kind = next((kind for kind in (TOKEN, SLUG) if kind in path), None)
    request.transaction.begin(forms.holding(kind, path[kind]) if kind else forms)
