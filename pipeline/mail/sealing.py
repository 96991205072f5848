"""The secret of an email between two attempts, encrypted: a message that is sent twice has the same link or code.

Only its hash is stored otherwise, so without this copy nobody could write the message again.
"""

import base64

from cryptography.fernet import Fernet, InvalidToken, MultiFernet

from pipeline.process.keys import keys_for
from pipeline.process.settings import Settings

PURPOSE = b"secrets in emails"


def sealed(settings: Settings, secret: str) -> str | None:
    """The encrypted secret; None without `JWT_SECRET`."""
    fernet = _fernet(settings)
    return fernet.encrypt(secret.encode()).decode() if fernet else None


def opened(settings: Settings, text: str | None) -> str | None:
    """The secret; None if there is none, or its key is gone."""
    fernet = _fernet(settings)
    try:
        return fernet.decrypt(text.encode()).decode() if fernet and text else None
    except InvalidToken:
        return None


def _fernet(settings: Settings) -> MultiFernet | None:
    """Encrypts with the present key, decrypts with all."""
    keys = [Fernet(base64.urlsafe_b64encode(key)) for key in keys_for(settings, PURPOSE).values()]
    return MultiFernet(keys[::-1]) if keys else None
