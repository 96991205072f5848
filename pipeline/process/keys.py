"""Keys for one purpose each, derived from the secret of the access tokens."""

import hashlib
import hmac

from pipeline.process.settings import Settings


def keys_for(settings: Settings, purpose: bytes) -> dict[str, bytes]:
    """{key id: key of 32 bytes}, the present one last, or none without a secret. RS256's retired keys are public."""
    secrets = {settings.jwt_key_id: settings.jwt_secret} if settings.jwt_secret else {}
    if settings.jwt_algorithm == "HS256":
        secrets = dict(pair.split(":", 1) for pair in settings.jwt_retired_keys.split()) | secrets
    return {id: hmac.digest(secret.encode(), purpose, hashlib.sha256) for id, secret in secrets.items()}
