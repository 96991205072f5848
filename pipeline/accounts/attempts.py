"""Counts wrong passwords for the email address that they are tried on."""

import contextlib

from pipeline.errors import Problem
from pipeline.http import limits
from pipeline.http.clients import client_address


@contextlib.contextmanager
def counted(request, email):
    """Around the look at a password for an email address: counts one more wrong one, unless the block succeeds.

    Counted before it is looked at, so that many at once are no way around; raises the 429. What nobody looked at, as
    too many passwords are being checked, does not count.
    """
    address = limits.digest(email)
    failing = ((limits.LOGIN_FAILED, f"{client_address(request)}:{address}"), (limits.LOGIN_ADDRESS, address))
    for bucket, who in failing:
        limits.spend(request, bucket, who)
    try:
        yield
    except Problem as problem:
        if problem.code == "busy":
            _give_back(request, failing)
        raise
    _give_back(request, failing)


def _give_back(request, spent):
    for bucket, who in spent:
        limits.give_back(request, bucket, who)
