"""Counts wrong passwords for the email address that they are tried on."""

import contextlib
from collections.abc import Iterable, Iterator

from pipeline.errors import Problem
from pipeline.http import limits
from pipeline.http.clients import client_address
from pipeline.http.request import Request


@contextlib.contextmanager
def counted(request: Request, email: str) -> Iterator[None]:
    """Check a password of an email address in the block: it counts as a wrong one unless the block succeeds.

    It counts before it is checked, so that many tries at the same moment cannot get past the limit; raises the 429. A
    password that was not checked because too many others were being checked does not count.
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


def _give_back(request: Request, spent: Iterable[tuple[limits.Bucket, str]]) -> None:
    for bucket, who in spent:
        limits.give_back(request, bucket, who)
