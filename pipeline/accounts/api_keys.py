"""API keys (docs/api-keys.md)."""

import secrets
import string
from typing import Any

from pipeline.accounts.shapes import CURRENT
from pipeline.api.declared import Records
from pipeline.api.resource import Resource
from pipeline.api.shapes import ID, TEXT, TIMESTAMP, Record, Shape, listed, nullable, word
from pipeline.database import not_none, queries
from pipeline.http.authentication import KEY_LENGTH, KEY_PREFIX
from pipeline.http.request import Request
from pipeline.http.scopes import ALL, KEY, SCOPES
from pipeline.http.security import ADMIN, MEMBER, Identity, secret_hash
from pipeline.validation import Body, Choice, Listing, Name, Timestamp, Values, invalid_field, optional, required

ALPHABET = string.digits + string.ascii_letters
# Length of the visible prefix.
SHOWN = 8


class ApiKey(Body):
    """The fields of a key."""

    name = required(Name())
    scopes = required(Listing(Choice(ALL, *SCOPES), max_items=len(SCOPES), unique=True, min_items=1))
    expires_at = optional(Timestamp())

    def read(self, given: Any) -> Values:
        values = super().read(given)
        if ALL in values["scopes"] and len(values["scopes"]) > 1:
            raise invalid_field("scopes", "conflict", one=f'"{ALL}"', other="every other scope")
        return values


class KeyChange(ApiKey):
    """An omitted `expires_at` stays unchanged."""

    def read(self, given: Any) -> Values:
        return {**super().read(given), "keeps_end": "expires_at" not in given}


NEW_KEY = Record(
    "api_key",
    "A new API key with its secret.",
    component="NewApiKey",
    added={"key": {**TEXT, "description": "The secret key. It is returned only once."}},
)


class NewApiKey(ApiKey):
    """The role cannot change later."""

    expires_at = optional(Timestamp(future=True))
    role = optional(Choice("member", "admin"), default="member")


def create_key(caller: Identity, body: Values) -> dict[str, Any]:
    """Only this response shows `key`."""
    key = KEY_PREFIX + "".join(secrets.choice(ALPHABET) for _ in range(KEY_LENGTH))
    id = queries.api_key_insert(**body, prefix=key[:SHOWN], key_hash=secret_hash(key), created_by=caller.user_id)
    return {**not_none(queries.api_key_get(id=id)), "key": key}


OWN_KEY = Shape(
    "OwnKey",
    "The calling API key and its organization.",
    id=ID,
    name=TEXT,
    prefix={**TEXT, "description": "The first 8 characters of the key."},
    role=word("admin", "member"),
    scopes={**listed(TEXT), "description": "Its scopes; `all` grants everything."},
    expires_at=nullable(TIMESTAMP),
    last_used_at={**nullable(TIMESTAMP), "description": "The time of the last use."},
    created_at=TIMESTAMP,
    organization=CURRENT,
)
own = Resource("/auth/key", "The calling API key")


@own.get(access=MEMBER, scope=KEY, answer=OWN_KEY)
def get_own_key(request: Request) -> bytes | None:
    return queries.own_key_get.json()


keys = Records("/api-keys", "api_key", read=ADMIN, write=ADMIN, body=KeyChange())
keys.list("list_api_keys")
keys.get("get_api_key")
keys.update("update_api_key", "patch_api_key")
keys.delete("delete_api_key")


@keys.all.post(access=ADMIN, body=NewApiKey(), creates=True, replayable=False, answer=NEW_KEY)
def create_api_key(request: Request, body: Values) -> dict[str, Any]:
    return create_key(request.caller, body)
