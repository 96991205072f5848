"""Wrong passwords are counted, for the address that they are tried for."""

import contextlib

from pipeline import limits
from pipeline.clients import client_address


@contextlib.contextmanager
def counted(request, email):
    """Around the look at a password for an email address: counts one more wrong one, unless the block succeeds.

    Counted before it is looked at, so that many at once are no way around; raises the 429.
    """
    address = limits.digest(email)
    failing = ((limits.LOGIN_FAILED, f"{client_address(request)}:{address}"), (limits.LOGIN_ADDRESS, address))
    for bucket, who in failing:
        limits.spend(request, bucket, who)
    yield
    for bucket, who in failing:
        limits.give_back(request, bucket, who)
