"""Emailed links: 64 hex characters, used once, stored as SHA-256."""

import contextlib

from pipeline.database import Row, cells, queries
from pipeline.http.security import secret_hash
from pipeline.validation.errors import Problem


def cell_of(token: str) -> contextlib.AbstractContextManager[None]:
    """A transaction in the cell of the link's organization; the present one with a single cell."""
    return cells.in_cell_holding("account_link", secret_hash(token))


def find(token: str, kind: str) -> Row:
    """A link's row in any state; raises 404."""
    with cell_of(token):
        link = queries.account_link(token_hash=secret_hash(token))
    if link is None or link["kind"] != kind:
        raise Problem("not_found", "The link does not exist, or a newer link replaced it.")
    return link


def find_good(token: str, kind: str) -> Row:
    """An open link's row; raises 404 or 410."""
    link = find(token, kind)
    if link["state"] != "open":
        raise Problem("link_expired" if link["state"] == "expired" else "link_used")
    return link
