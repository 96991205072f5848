"""HTTP to the service on loopback, from a chosen address of 127.0.0.0/8."""

import contextlib
import http.client
import json
import resource
from typing import NamedTuple

HOST = "127.0.0.1"
JSON = {"Content-Type": "application/json"}
# The crowds of the attacks, with room for what else a process holds open.
DESCRIPTORS = 4096


class Answer(NamedTuple):
    """The status and the bytes of an answer."""

    status: int
    body: bytes

    @property
    def json(self):
        return json.loads(self.body)

    @property
    def code(self):
        """The `code` of a problem; an empty text for any other answer."""
        with contextlib.suppress(ValueError, AttributeError):
            return self.json.get("code", "")
        return ""


class Client:
    """One caller: its token (or None), its address; one connection, opened anew when the server ended it."""

    def __init__(self, port, token=None, source=HOST, timeout=60):
        self.headers = {"Authorization": f"Bearer {token}"} if token else {}
        self.connection = http.client.HTTPConnection(HOST, port, timeout=timeout, source_address=(source, 0))

    def ask(self, method, path, body=None, headers=None):
        """The Answer; `body` is JSON unless it is bytes. Raises OSError or http.client.HTTPException."""
        sent = {**self.headers, **(headers or (JSON if body is not None else {}))}
        content = body if body is None or isinstance(body, bytes) else json.dumps(body).encode()
        kept = self.connection.sock is not None
        try:
            return self._exchange(method, path, content, sent)
        except (http.client.RemoteDisconnected, BrokenPipeError, ConnectionResetError):
            # A kept connection that the server ended meanwhile is nobody's error; a new one that breaks is.
            if not kept:
                raise
            return self._exchange(method, path, content, sent)

    def _exchange(self, method, path, content, headers):
        try:
            self.connection.request(method, path, content, headers)
            response = self.connection.getresponse()
            return Answer(response.status, response.read())
        except BaseException:
            self.connection.close()
            raise

    def close(self):
        self.connection.close()


def descriptors():
    """Raise this process's limit of open files as far as it goes; RuntimeError when that is too low for the attacks."""
    _soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    if hard != resource.RLIM_INFINITY and hard < DESCRIPTORS:
        raise RuntimeError(f"At most {hard} files may be open, the attacks need {DESCRIPTORS}: raise `ulimit -Hn`.")
    return hard


def address(network, number):
    """The address number `number` (of 62,500) of the loopback network 127.`network`."""
    return f"127.{network}.{1 + number // 250 % 250}.{1 + number % 250}"
