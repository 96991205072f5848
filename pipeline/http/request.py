"""The request as every view gets it, and the registry behind it: what the packages have set upon either.

Where other names for types stand: `Row` and `Connection` in `pipeline.database`, `Values` (what a body or query was
read into) and `Schema` in `pipeline.validation`, `Identity` (who calls) in `pipeline.http.security`.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import ExitStack
from typing import TYPE_CHECKING, Any
from wsgiref.types import WSGIEnvironment

import pyramid.registry
import pyramid.request
import redis
from pyramid.decorator import reify
from pyramid.response import Response

from pipeline.database import Database, Transaction
from pipeline.errors import Problem
from pipeline.http.security import Identity, Tokens
from pipeline.settings import Settings

# These take requests themselves.
if TYPE_CHECKING:
    from pipeline.http.assets import Assets
    from pipeline.http.authentication import KnownKeys
    from pipeline.http.counts import Counts
    from pipeline.http.health import Readiness
    from pipeline.http.metrics import Scrape
    from pipeline.http.replica import Replica
    from pipeline.http.resource import Resource
    from pipeline.http.slots import Shares, Slots


class Registry(pyramid.registry.Registry):
    """What the `includeme` of each package keeps for all requests of a process; Pyramid makes it."""

    pipeline: Settings
    app: Database
    forms: Database
    replica: Replica | None
    tokens: Tokens
    limits: Counts
    slots: Slots
    shares: Shares
    known_keys: KnownKeys
    cornice_services: dict[str, Resource]
    failure_pages: dict[str, Callable[[Request, Problem], Response]]
    readiness: Readiness
    schema_head: str
    health_redis: redis.Redis | None
    scrape: Scrape
    documentation_assets: Assets
    form_assets: Assets


class Request(pyramid.request.Request):
    """A request, with the attributes that cornice's views expect; its errors stay empty: ours are problems."""

    environ: WSGIEnvironment
    method: str
    path: str
    path_info: str
    query_string: str
    content_type: str
    content_length: int | None
    matchdict: dict[str, str]
    registry: Registry
    # Its number, for logs; its transaction, begun by the first need; who calls, which nobody does at a public endpoint.
    id: str
    transaction: Transaction
    caller: Identity

    errors = ()
    # What slots.py knows of it: its kind of heavy work, what gives its slot back, and whether it counts to a share.
    heavy: str | None = None
    slot: ExitStack | None = None
    shared: bool = False
    # The JSON that was sent, and whether it is a PATCH that leaves its record as it is.
    document: Any = None
    idle: bool = False

    @reify
    def validated(self) -> dict[str, Any]:
        """What the endpoint's contract made of path, query and body: the keywords of its view."""
        return {}

    @reify
    def info(self) -> dict[str, Any]:
        """Cornice's notes about the request."""
        return {}


# All that stands below a tween.
Handler = Callable[[Request], Response]
# What an endpoint calls with the request and the keywords that its contract names; `respond` makes a response of all
# that it may give.
View = Callable[..., Any]
