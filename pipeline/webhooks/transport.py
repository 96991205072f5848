"""One message over HTTP: to addresses that were checked, within one time for everything, and with no redirects.

httpcore speaks HTTP; the sockets are opened here. So a connection goes to a checked address and nowhere else, while TLS
goes on checking the certificate by the name of the URL; and one deadline bounds all of it, a receiver that sends a byte
now and then too.
"""

import functools
import socket
import ssl
import time
from typing import Any, NamedTuple
from urllib.parse import urlsplit

import httpcore

from pipeline.webhooks import addresses

# So long an attempt takes at most, the look-up of the host included; so much of an answer is read.
SECONDS, MOST_READ = 10.0, 64 * 1024
PORTS = {"http": 80, "https": 443}


class NoAnswer(Exception):
    """There was no answer; the message is shown to administrators."""


class Answer(NamedTuple):
    """A receiver's answer: status code, and the beginning of its body."""

    code: int
    body: bytes


class Deadline:
    """The time that is left of so many seconds."""

    def __init__(self, seconds):
        self.end = time.monotonic() + seconds

    def left(self):
        """Seconds; raises TimeoutError when there are none."""
        left = self.end - time.monotonic()
        if left <= 0:
            raise TimeoutError
        return left


def post(url, headers, body, settings, seconds=SECONDS):
    """The Answer of a URL (str) to a POST of `body` (bytes) with `headers` ({str: str}); raises NoAnswer."""
    deadline = Deadline(seconds)
    try:
        parts = urlsplit(url)
        found = addresses.reachable(parts.hostname, settings, deadline.left())
        return _exchange(parts, headers, body, Sockets(found, deadline))
    except addresses.Refused as error:
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


def _exchange(parts, headers, body, sockets):
    target = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
    url = httpcore.URL(scheme=parts.scheme, host=parts.hostname, port=parts.port or PORTS[parts.scheme], target=target)
    with (
        httpcore.ConnectionPool(ssl_context=tls(), network_backend=sockets) as pool,
        pool.stream("POST", url, headers=headers, content=body) as response,
    ):
        read = b""
        for part in response.iter_stream():
            read += part
            if len(read) >= MOST_READ:
                break
        return Answer(response.status, read[:MOST_READ])


@functools.cache
def tls():
    """The TLS context: the system's authorities, names checked."""
    return ssl.create_default_context()


class Sockets(httpcore.NetworkBackend):
    """Opens connections to these addresses, whatever host is asked for, until the deadline."""

    def __init__(self, found, deadline):
        self.found, self.deadline = found, deadline

    def connect_tcp(self, host, port, timeout=None, local_address=None, socket_options=None):
        """A connection to the first address that takes one; raises OSError."""
        failure = OSError("The host has no address.")
        for address in self.found:
            try:
                connection = socket.create_connection((address, port), self.deadline.left())
            except TimeoutError:
                raise
            except OSError as error:
                failure = error
            else:
                connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
                return Stream(connection, self.deadline)
        raise failure


class Stream(httpcore.NetworkStream):
    """A connection of which each step has the time that is left; httpcore's own time limits are not used."""

    def __init__(self, connection, deadline):
        self.connection, self.deadline = connection, deadline

    def read(self, max_bytes, timeout=None):
        self.connection.settimeout(self.deadline.left())
        return self.connection.recv(max_bytes)

    def write(self, buffer, timeout=None):
        rest = memoryview(buffer)
        while rest:
            self.connection.settimeout(self.deadline.left())
            rest = rest[self.connection.send(rest) :]

    def start_tls(self, ssl_context, server_hostname=None, timeout=None):
        self.connection.settimeout(self.deadline.left())
        self.connection = ssl_context.wrap_socket(self.connection, server_hostname=server_hostname)
        return self

    def close(self):
        self.connection.close()

    def get_extra_info(self, info: str) -> Any:
        """Nothing: what httpcore asks is for HTTP/2, and whether a kept connection still lives."""
        return None
