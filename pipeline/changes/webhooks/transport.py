"""Sends a message to checked addresses, with one deadline and no redirects. TLS checks the URL's host."""

from __future__ import annotations

import functools
import socket
import ssl
import time
from collections.abc import Iterable
from typing import Any, NamedTuple, Self
from urllib.parse import SplitResult, urlsplit

import httpcore

from pipeline.changes.webhooks import addresses
from pipeline.process.settings import Settings

# Time limit with the look-up, and bytes read of a response.
SECONDS, MOST_READ = 10.0, 64 * 1024
PORTS = {"http": 80, "https": 443}


class NoAnswer(Exception):
    """No response; administrators see the message."""


class ReceiverResponse(NamedTuple):
    """Status code, start of the body, and the header Retry-After."""

    code: int
    body: bytes
    retry_after: str | None


class Deadline:
    """A time limit in seconds."""

    def __init__(self, seconds: float) -> None:
        self.end = time.monotonic() + seconds

    def seconds_left(self) -> float:
        """Seconds left; raises TimeoutError at 0."""
        left = self.end - time.monotonic()
        if left <= 0:
            raise TimeoutError
        return left


def post(
    url: str, headers: dict[str, str], body: bytes, settings: Settings, seconds: float = SECONDS
) -> ReceiverResponse:
    """The Answer to a POST; raises NoAnswer."""
    deadline = Deadline(seconds)
    try:
        parts = urlsplit(url)
        found = addresses.reachable(parts.hostname, settings, deadline.seconds_left())
        return _exchange(parts, headers, body, Sockets(found, deadline))
    except addresses.AddressRefused as error:
        raise NoAnswer(str(error)) from None
    except TimeoutError:
        raise NoAnswer(f"No complete answer within {seconds:g} seconds.") from None
    except ssl.SSLError as error:
        raise NoAnswer(
            f"TLS failed: {getattr(error, 'verify_message', None) or error.reason or 'broken off'}."
        ) from None
    except OSError as error:
        raise NoAnswer(f"No connection: {error.strerror or 'broken off'}.") from None
    except (httpcore.ProtocolError, httpcore.NetworkError, ValueError):
        raise NoAnswer("The answer is not HTTP, or was broken off.") from None


def _exchange(parts: SplitResult, headers: dict[str, str], body: bytes, sockets: Sockets) -> ReceiverResponse:
    target = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
    host, port = parts.hostname or "", parts.port or PORTS[parts.scheme]
    url = httpcore.URL(scheme=parts.scheme, host=host, port=port, target=target)
    with (
        httpcore.ConnectionPool(ssl_context=tls(), network_backend=sockets) as pool,
        pool.stream("POST", url, headers=list(headers.items()), content=body) as response,
    ):
        read = b""
        for part in response.iter_stream():
            read += part
            if len(read) >= MOST_READ:
                break
        named = (value.decode("latin-1") for name, value in response.headers if name.lower() == b"retry-after")
        return ReceiverResponse(response.status, read[:MOST_READ], next(named, None))


@functools.cache
def tls() -> ssl.SSLContext:
    """The system's authorities, with host name checks."""
    return ssl.create_default_context()


class Sockets(httpcore.NetworkBackend):
    """Connects to these addresses for any host."""

    def __init__(self, found: list[str], deadline: Deadline) -> None:
        self.found, self.deadline = found, deadline

    def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,
        local_address: str | None = None,
        socket_options: Iterable[httpcore.SOCKET_OPTION] | None = None,
    ) -> DeadlineStream:
        """A connection to the first address that accepts; raises OSError."""
        failure = OSError("The host has no address.")
        for address in self.found:
            try:
                connection = socket.create_connection((address, port), self.deadline.seconds_left())
            except TimeoutError:
                raise
            except OSError as error:
                failure = error
            else:
                connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
                return DeadlineStream(connection, self.deadline)
        raise failure


class DeadlineStream(httpcore.NetworkStream):
    """A connection with the deadline; ignores httpcore's timeouts."""

    def __init__(self, connection: socket.socket, deadline: Deadline) -> None:
        self.connection, self.deadline = connection, deadline

    def read(self, max_bytes: int, timeout: float | None = None) -> bytes:
        self.connection.settimeout(self.deadline.seconds_left())
        return self.connection.recv(max_bytes)

    def write(self, buffer: bytes, timeout: float | None = None) -> None:
        rest = memoryview(buffer)
        while rest:
            self.connection.settimeout(self.deadline.seconds_left())
            rest = rest[self.connection.send(rest) :]

    def start_tls(
        self, ssl_context: ssl.SSLContext, server_hostname: str | None = None, timeout: float | None = None
    ) -> Self:
        self.connection.settimeout(self.deadline.seconds_left())
        self.connection = ssl_context.wrap_socket(self.connection, server_hostname=server_hostname)
        return self

    def close(self) -> None:
        self.connection.close()

    def get_extra_info(self, info: str) -> Any:
        """None: httpcore requests only the state of HTTP/2 and of reused connections."""
        return None
