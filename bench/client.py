"""A client of a measured web process: one HTTP connection with a token of an admin."""

import http.client
import json

from bench.data import BIG
from pipeline.http.security import Tokens


class Refused(RuntimeError):
    """A response other than 2xx."""


class Client:
    """One HTTP connection; `headers` name an admin of the organization."""

    def __init__(self, site, web, organization=BIG):
        self.connection = http.client.HTTPConnection("127.0.0.1", web.port)
        self.headers = {"Authorization": f"Bearer {Tokens(site.settings()).create_token(1, organization, 1)}"}

    def ask(self, method, path, body=None, headers=None):
        """The response's JSON; raises Refused. body: data for JSON, or bytes with their type in `headers`."""
        sent = body if body is None or isinstance(body, bytes) else json.dumps(body)
        typed = {"Content-Type": "application/json"} | self.headers | (headers or {})
        self.connection.request(method, path, sent, typed)
        answer = self.connection.getresponse()
        content = answer.read()
        if answer.status >= 300:
            raise Refused(f"{method} {path}: {answer.status} {content[:300]!r}")
        return json.loads(content)
