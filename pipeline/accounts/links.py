"""Links in emails: 64 hex characters, good once; only their SHA-256 is stored."""

from pipeline.accounts.service import digest
from pipeline.database import Row, queries
from pipeline.errors import Problem


def find(token: str, kind: str) -> Row:
    """The row of a link of this kind (`activate`, `reset`), whatever has become of it; 404 for an unknown one."""
    link = queries.account_link(token_hash=digest(token))
    if link is None or link["kind"] != kind:
        raise Problem("not_found", "There is no such link, or a newer one has taken its place.")
    return link


def find_good(token: str, kind: str) -> Row:
    """The same for a link that is still good; 410 when it is used or has expired."""
    link = find(token, kind)
    if link["state"] != "open":
        raise Problem("link_expired" if link["state"] == "expired" else "link_used")
    return link
