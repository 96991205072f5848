"""Counts wrong passwords by email address."""

import contextlib
from collections.abc import Iterable, Iterator

from pipeline.http.clients import client_address
from pipeline.http.fairness import limits
from pipeline.http.request import Request
from pipeline.validation.errors import Problem


@contextlib.contextmanager
def count_failures(request: Request, email: str) -> Iterator[None]:
    """Counts failures of a password check in the block, except `busy`. Raises 429.

    It counts first, to limit parallel attempts.
    """
    address = limits.digest(email)
    failing = ((limits.LOGIN_FAILED, f"{client_address(request)}:{address}"), (limits.LOGIN_ADDRESS, address))
    for bucket, who in failing:
        limits.count_request(request, bucket, who)
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
