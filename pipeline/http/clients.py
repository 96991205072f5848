"""The client that a request is counted for: the network that it comes from."""

import ipaddress
from functools import lru_cache
from wsgiref.types import WSGIEnvironment

from pipeline.http.request import Request


def client_address(request: Request) -> str:
    """The network that a request is counted for: an IPv4 address, or the /64 of an IPv6 address.

    It is the peer's, whatever the request says of itself. With TRUSTED_PROXIES = n it is the entry of
    X-Forwarded-For that the outermost of our n proxies has written: the n-th from the right.
    """
    return address(request.environ, request.registry.pipeline.trusted_proxies)


def address(environ: WSGIEnvironment, hops: int) -> str:
    """The same, of a WSGI environ behind so many proxies."""
    peer, forwarded = environ.get("REMOTE_ADDR") or "unknown", _forwarded(environ, hops)
    return (forwarded and network(forwarded)) or network(peer) or peer


def peer_address(request: Request) -> str:
    """The address that a request comes from, as `client_address` finds it, but whole: for people to read."""
    forwarded = _forwarded(request.environ, request.registry.pipeline.trusted_proxies)
    return forwarded if forwarded and network(forwarded) else request.environ.get("REMOTE_ADDR") or ""


def _forwarded(environ: WSGIEnvironment, hops: int) -> str | None:
    """The entry of X-Forwarded-For that the outermost of our proxies has written, or None."""
    entries = environ.get("HTTP_X_FORWARDED_FOR", "").split(",") if hops else []
    return entries[-hops].strip() if 0 < hops <= len(entries) else None


@lru_cache(maxsize=10_000)
def network(text: str) -> str | None:
    """The address or /64 of `192.0.2.1`, `192.0.2.1:80`, `2001:db8::1`, `[2001:db8::1]:80`; else None."""
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
