"""The client's network address."""

import ipaddress
from functools import lru_cache
from wsgiref.types import WSGIEnvironment

from pipeline.http.request import Request


def client_address(request: Request) -> str:
    """The client's IPv4 address or IPv6 /64.

    With TRUSTED_PROXIES = n it is the n-th entry of X-Forwarded-For from the right.
    """
    return address(request.environ, request.registry.pipeline.trusted_proxies)


def address(environ: WSGIEnvironment, hops: int) -> str:
    peer, forwarded = environ.get("REMOTE_ADDR") or "unknown", _forwarded(environ, hops)
    return (forwarded and network(forwarded)) or network(peer) or peer


def peer_address(request: Request) -> str:
    forwarded = _forwarded(request.environ, request.registry.pipeline.trusted_proxies)
    return forwarded if forwarded and network(forwarded) else request.environ.get("REMOTE_ADDR") or ""


def _forwarded(environ: WSGIEnvironment, hops: int) -> str | None:
    """The entry by the outermost trusted proxy, or None."""
    entries = environ.get("HTTP_X_FORWARDED_FOR", "").split(",") if hops else []
    return entries[-hops].strip() if 0 < hops <= len(entries) else None


@lru_cache(maxsize=10_000)
def network(text: str) -> str | None:
    """The IPv4 address or IPv6 /64, or None; a port is ignored."""
    if text.startswith("["):
        text = text[1:].partition("]")[0]
    elif text.count(":") == 1:
        text = text.partition(":")[0]
    try:
        address = ipaddress.ip_address(text.partition("%")[0])
    except ValueError:
        return None
    if address.version == 6 and address.ipv4_mapped:
        return str(address.ipv4_mapped)
    return str(address) if address.version == 4 else str(ipaddress.ip_network((address, 64), strict=False))
