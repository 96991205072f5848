"""Password hashes: argon2id with the parameters of RFC 9106's second recommendation (argon2-cffi's default)."""

from argon2 import PasswordHasher
from argon2.exceptions import InvalidHashError, VerificationError

_hasher = PasswordHasher()
# Checked when there is no account, so that an unknown address takes as long as a wrong password.
_NOBODY = _hasher.hash("no account has this password")


def hash_password(password):
    """The argon2id hash (str, PHC format) of a password."""
    return _hasher.hash(password)


def matches(password, password_hash):
    """Whether the password has this hash; None as hash takes the same time and is never true."""
    try:
        return _hasher.verify(password_hash or _NOBODY, password) and password_hash is not None
    except (VerificationError, InvalidHashError):
        return False
