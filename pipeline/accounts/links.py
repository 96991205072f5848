"""Links in emails: 64 hex characters, good once; only their SHA-256 is stored."""

import hashlib
import re

from pipeline.database import queries
from pipeline.problems import Problem

_TOKEN = re.compile("[0-9a-f]{64}", re.ASCII)


def token_hash(token):
    """What is stored of a link's token (str)."""
    # 256 random bits need no slow hash.
    return hashlib.sha256(token.encode()).hexdigest()


def find(token, kind):
    """The row of a link of this kind (`activate`, `reset`), whatever has become of it; 404 for an unknown one."""
    link = queries.account_link_get(token_hash=token_hash(token)) if _TOKEN.fullmatch(token) else None
    if link is None or link["kind"] != kind:
        raise Problem("not_found")
    return link


def good(link):
    """The same row; 410 when the link is used or has expired."""
    if link["state"] != "open":
        raise Problem("link_expired" if link["state"] == "expired" else "link_used")
    return link
