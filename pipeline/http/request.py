"""The request and the registry, with all attributes that packages set."""

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

# These modules import this one.
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
    """The attributes set by each package's `includeme`."""

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
    """A request as cornice expects it; `errors` stays empty."""

    environ: WSGIEnvironment
    method: str
    path: str
    path_info: str
    query_string: str
    content_type: str
    content_length: int | None
    matchdict: dict[str, str]
    registry: Registry
    # The id for logs; the transaction, begun on first use; the caller, unset at public endpoints.
    id: str
    transaction: Transaction
    caller: Identity

    errors = ()
    # For slots.py: the kind of heavy work, its slot, whether it counts for a share.
    heavy: str | None = None
    slot: ExitStack | None = None
    shared: bool = False
    # The JSON document, and whether a PATCH changes nothing.
    document: Any = None
    idle: bool = False

    @reify
    def validated(self) -> dict[str, Any]:
        """The view's keywords, validated from path, query and body."""
        return {}

    @reify
    def info(self) -> dict[str, Any]:
        """Cornice's notes."""
        return {}


# The rest of the application below a tween.
Handler = Callable[[Request], Response]
# Called with the request and the contract's keywords; `respond` takes any result.
View = Callable[..., Any]
