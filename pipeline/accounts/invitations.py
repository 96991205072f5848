"""Invitations as the invited person meets them: by the link in the email, or signed in.

A link's token is 64 hex characters and works once; only its SHA-256 is stored. An invitation gives no access before
its person has taken it: somebody new by a password and a name, somebody known by proving that the account is theirs.
"""

import hashlib
import re
import secrets

from pipeline.accounts import service
from pipeline.accounts.passwords import check_password, hash_password
from pipeline.database import queries
from pipeline.problems import Problem, Violation, invalid, invalid_field

_TOKEN = re.compile("[0-9a-f]{64}", re.ASCII)


def new_token():
    """A token (str) for a link."""
    return secrets.token_hex(32)


def token_hash(token):
    """What is stored of a token (str): its SHA-256, None for what can be no token."""
    return hashlib.sha256(token.encode()).hexdigest() if _TOKEN.fullmatch(token) else None
