"""The request and the registry.

`Registry` declares the attributes that several modules use; others have their type in their module.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import ExitStack
from typing import Any
from wsgiref.types import WSGIEnvironment

import pyramid.registry
import pyramid.request
import redis
from pyramid.response import Response

from pipeline.database import Database, Transaction
from pipeline.http.security import Identity, Tokens
from pipeline.process.settings import Settings
from pipeline.validation import Schema
from pipeline.validation.errors import Problem


class Registry(pyramid.registry.Registry):
    """The attributes set by each `includeme`."""

    pipeline: Settings
    app: Database
    forms: Database
    tokens: Tokens
    # Describes the messages of webhooks; adds to the components.
    messages: Callable[[dict[str, Schema], dict[str, Schema]], dict[str, Schema]]
    failure_pages: dict[str, Callable[[Request, Problem], Response]]
    schema_head: str
    health_redis: redis.Redis | None


class Share:
    """A request's part of its organization's threads; one with a slot `counts` no slowness, because slots limit it."""

    def __init__(self, entered: float) -> None:
        self.entered, self.counts = entered, True


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
    # `id` is for logs; `transaction` is handle.py's, unset on unknown paths; `caller` is unset at public endpoints.
    id: str
    transaction: Transaction
    caller: Identity

    errors = ()
    # The slot of heavy work; the part of its organization's share.
    slot: ExitStack | None = None
    shared: Share | None = None
    # The JSON document; whether a PATCH changes nothing.
    document: Any = None
    idle: bool = False
    # The view's keywords, from path, query and body.
    validated: dict[str, Any]
    # Makes the page of a problem, else JSON.
    failure_page: Callable[[Problem], Response] | None = None
    # Cornice's notes.
    info: dict[str, Any]

    @property
    def path_values(self) -> dict[str, Any]:
        """The path's ids, tokens and slugs."""
        return {name: self.validated[name] for name in self.matchdict}


Handler = Callable[[Request], Response]
# Called with the contract's keywords; returns any result for `respond`.
View = Callable[..., Any]
