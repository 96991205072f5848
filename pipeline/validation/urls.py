"""Public URLs."""

import re
from urllib.parse import urlsplit

URL_LENGTH = 2048
HOST = re.compile(r"([^\W_]([\w-]{0,61}[^\W_])?\.)+[^\W\d_][\w-]*[^\W_]", re.IGNORECASE)


def is_url(text: str, schemes: tuple[str, ...] = ("http", "https")) -> bool:
    """Returns True for an absolute URL with a dotted host, without user name."""
    if re.search(r"[\s\x00-\x1f\x7f\\<>\"]", text) or len(text) > URL_LENGTH:
        return False
    try:
        parts = urlsplit(text)
        host, _ = parts.hostname or "", parts.port
    except ValueError:
        return False
    return parts.scheme in schemes and "@" not in parts.netloc and HOST.fullmatch(host) is not None
