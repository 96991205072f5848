"""Where the transaction of a prospect's request begins: on the server that has the form in its path (docs/citus.md)."""

from pipeline.http.request import Request

# What the form's place in the path is called among all that is unique over all organizations.
TOKEN, SLUG = "token", "slug"


def begin_form(request: Request) -> None:
    """Begin the transaction of a request for the form whose token or slug stands in its path, or for none."""
    forms, path = request.registry.forms, request.matchdict
    kind = next((kind for kind in (TOKEN, SLUG) if kind in path), None)
    request.transaction.begin(forms.holding(kind, path[kind]) if kind else forms)
