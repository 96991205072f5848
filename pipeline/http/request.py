"""The request and the registry, with the attributes that packages set."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import ExitStack
from typing import TYPE_CHECKING, Any
from wsgiref.types import WSGIEnvironment

import pyramid.registry
import pyramid.request
import redis
from pyramid.response import Response

from pipeline.database import Database, Transaction
from pipeline.errors import Problem
from pipeline.http.security import Identity, Tokens
from pipeline.settings import Settings

# They import this module.
if TYPE_CHECKING:
    from pipeline.http.assets import Assets
    from pipeline.http.authentication import KnownKeys
    from pipeline.http.counts import Counts
    from pipeline.http.health import Readiness
    from pipeline.http.metrics import Scrape
    from pipeline.http.replica import Replica
    from pipeline.http.resource import Resource
    from pipeline.http.slots import Shares, Slots
    from pipeline.validation import Schema


class Registry(pyramid.registry.Registry):
    """The attributes set by each `includeme`."""

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
    # Describes the messages of webhooks; adds to the components.
    messages: Callable[[dict[str, Schema], dict[str, Schema]], dict[str, Schema]]
    failure_pages: dict[str, Callable[[Request, Problem], Response]]
    readiness: Readiness
    schema_head: str
    health_redis: redis.Redis | None
    scrape: Scrape
    documentation_assets: Assets
    form_assets: Assets
    signing_assets: Assets


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
    # `id` is for logs; `transaction` is for way.py; `caller` is unset at public endpoints.
    id: str
    transaction: Transaction | None = None
    caller: Identity

    errors = ()
    # The slot of heavy work, whether a share counts it.
    slot: ExitStack | None = None
    shared: bool = False
    # The JSON document; whether a PATCH changes nothing.
    document: Any = None
    idle: bool = False
    # The view's keywords, from path, query and body.
    validated: dict[str, Any]
    # Cornice's notes.
    info: dict[str, Any]

    @property
    def path_values(self) -> dict[str, Any]:
        """The path's ids, tokens and slugs."""
        return {name: self.validated[name] for name in self.matchdict}


Handler = Callable[[Request], Response]
# Called with the contract's keywords; returns any result for `respond`.
View = Callable[..., Any]
