"""Whose turn a request takes among those that wait for a thread: a path for pipeline/server/turns.py.

What may be claimed by anybody gives no turn of its own, or a crowd would claim a thousand: an organization is what an
access token proves, an API key that was seen before, or a form that this process has opened before.
"""

import contextlib
import re
from wsgiref.types import WSGIEnvironment

from pyramid.config import Configurator
from pyramid.response import Response

from pipeline.database.connections import FORMS
from pipeline.errors import Problem
from pipeline.http.authentication import KEY_PREFIX, key_hash
from pipeline.http.clients import address
from pipeline.http.request import Handler, Registry, Request
from pipeline.http.security import bearer

PEOPLE, PROSPECTS = "people", "prospects"
# A process that remembers so many forms begins anew.
MOST_FORMS = 10_000
_FORM = re.compile(r"/(?:api/public/interview|forms)/(?:interview/)?(capture/[^/]+|[0-9a-f]{64})(?:/|$)", re.ASCII)


class KnownForms:
    """The organizations of the forms that a process has opened, by a hash of slug or token."""

    def __init__(self) -> None:
        self.owners: dict[int, int] = {}

    def owner(self, path: str) -> int | None:
        """The organization of the form at a path, else None."""
        found = _FORM.match(path)
        return self.owners.get(hash(found[1])) if found else None

    def remember(self, path: str, organization_id: int) -> None:
        """Remember whose form stands at a path."""
        if found := _FORM.match(path):
            if len(self.owners) >= MOST_FORMS:
                self.owners = {}
            self.owners[hash(found[1])] = organization_id


def source(registry: Registry, environ: WSGIEnvironment) -> tuple[int | None, str | None, int | str]:
    """The path of a request: the organization; its people or its prospects; which of these.

    All others together are one group (None), in which addresses take turns: a crowd of them is soon had. Whether the
    token's session goes on, or the key is still good, is found out later; whose it is has been proven.
    """
    with contextlib.suppress(Problem):
        token = bearer(environ.get("HTTP_AUTHORIZATION"))
        if not token.startswith(KEY_PREFIX):
            claims = registry.tokens.read(token)
            return claims.organization_id, PEOPLE, claims.user_id
        owner = registry.known_keys.owner(key_hash(token))
        if owner:
            return owner[0], PEOPLE, f"key:{owner[1]}"
    organization = registry.known_forms.owner(environ.get("PATH_INFO", ""))
    place = address(environ, registry.pipeline.trusted_proxies)
    return (organization, PROSPECTS, place) if organization else (None, None, place)


def tween_factory(handler: Handler, registry: Registry) -> Handler:
    """Remembers whose form a request has opened, whatever became of the request."""

    def tween(request: Request) -> Response:
        try:
            return handler(request)
        finally:
            transaction = request.transaction
            database = transaction.database
            if transaction.organization and database is not None and database.name == FORMS:
                registry.known_forms.remember(request.environ["PATH_INFO"], int(transaction.organization))

    return tween


def includeme(config: Configurator) -> None:
    """`registry.known_forms` are the forms that were opened here."""
    config.registry.known_forms = KnownForms()
