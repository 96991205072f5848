"""The public hosts that webhooks may reach.

An attempt connects only to checked addresses, against DNS rebinding.
"""

import contextlib
import functools
import socket
import time
from ipaddress import IPv6Network, ip_address, ip_network
from urllib.parse import urlsplit

import dns.exception
import dns.name
import dns.resolver

from pipeline.process.settings import Settings
from pipeline.validation.urls import is_url

# Seconds for the look-up at save, and for the cache of own addresses.
SAVE_SECONDS, OWN_SECONDS = 3.0, 60.0
# Addresses that embed an IPv4 address are excluded. Python's is_global differs between releases.
UNICAST = IPv6Network("2000::/3")
SPECIAL = [ip_network(net) for net in ("192.0.0.0/24", "192.88.99.0/24", "2001::/23", "2002::/16", "3fff::/20")]

PRIVATE = [ip_network(net) for net in ("10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "100.64.0.0/10", "fc00::/7")]


class AddressRefused(Exception):
    """A forbidden or unknown host; administrators see the message."""


@functools.cache
def resolver() -> dns.resolver.Resolver:
    """The system's name servers."""
    return dns.resolver.Resolver()


def why_refused(url: str, settings: Settings) -> str | None:
    """Why a URL may not be saved, or None."""
    host = (urlsplit(url).hostname or "").rstrip(".")
    if settings.webhook_allow_private or is_url(url, ("https",)):
        return None
    if not url.startswith("https:"):
        return "Must begin with https://."
    if ":" in host or host.rpartition(".")[2][:1].isdigit():
        return "Must name a host, such as hooks.example.com, and not an IP address."
    return "Must name a host with a domain, such as hooks.example.com."


def reachable(host: str | None, settings: Settings, seconds: float) -> list[str]:
    """A host's addresses; raises Refused if one is forbidden."""
    if host is None:
        raise AddressRefused("The host was not found.")
    found = look_up(host, seconds)
    if not settings.webhook_allow_private:
        own_host = urlsplit(settings.public_url).hostname or ""
        own = _own_addresses(own_host, int(time.monotonic() // OWN_SECONDS))
        if host == own_host:
            raise AddressRefused("The host is this service.")
        for address in found:
            if not is_public(address):
                raise AddressRefused(f"The host is at {_network_name(address)}.")
            if address in own or is_of_this_machine(address):
                raise AddressRefused("The host is at an address of this service.")
    return found


def look_up(host: str, seconds: float) -> list[str]:
    """A host's addresses, IPv4 first; raises Refused."""
    with contextlib.suppress(ValueError):
        # An address in place of a name.
        return [str(ip_address(host))]
    if host == "localhost" or host.endswith(".localhost"):
        return ["127.0.0.1"]
    try:
        name = dns.name.from_text(host, origin=dns.name.root)
        answers = resolver().resolve_name(name, lifetime=max(seconds, 0.1))
    except (dns.exception.DNSException, UnicodeError, ValueError, OSError):
        raise AddressRefused("The host was not found.") from None
    return sorted(set(answers.addresses()), key=lambda address: (":" in address, address))


def is_public(address: str) -> bool:
    """Whether an address is public unicast and embeds no other."""
    parsed = ip_address(address)
    special = parsed.is_multicast or parsed.is_reserved or any(parsed in network for network in SPECIAL)
    return parsed.is_global and not special and (parsed.version == 4 or parsed in UNICAST)


def _network_name(address: str) -> str:
    parsed = ip_address(address)
    if parsed.is_loopback:
        return "a loopback address"
    if parsed.is_link_local:
        return "a link-local address"
    if parsed.is_multicast:
        return "a multicast address"
    if any(parsed in network for network in PRIVATE):
        return "an address of a private network"
    return "an address that is reserved, or stands for another one"


@functools.lru_cache(maxsize=1)
def _own_addresses(host: str, _minute: int) -> frozenset[str]:
    try:
        return frozenset(look_up(host, SAVE_SECONDS))
    except AddressRefused:
        return frozenset()


def is_of_this_machine(address: str) -> bool:
    """Whether a route to the address starts at itself."""
    family = socket.AF_INET6 if ":" in address else socket.AF_INET
    try:
        # Looks up the route; sends nothing.
        with socket.socket(family, socket.SOCK_DGRAM) as probe:
            probe.connect((address, 9))
            return probe.getsockname()[0] == address
    except OSError:
        return False
