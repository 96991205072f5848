"""Clients with counted requests, the limits in their responses, and shares that are used up."""

import contextlib
import itertools
import re

from webtest import TestApp

from pipeline.http.fairness import counts
from tests.support import Api

FORM = "/api/public/interview/" + "0" * 64
ADDRESSES = (f"10.{a}.{b}.{c}" for a, b, c in itertools.product(range(1, 200), range(200), range(1, 200)))


def client(app, address=None, **headers):
    """A client of `app` that calls from an address, by default one of its own."""
    return Api(TestApp(app, extra_environ={"REMOTE_ADDR": address or next(ADDRESSES)}), **headers)


def let_through(answers):
    return sum(answer.status_int != 429 for answer in answers)


def remaining(answer):
    return int(re.search(r"r=(\d+)", answer.headers["RateLimit"])[1])


def used(app, bucket, who, count, seconds=600):
    """Let somebody have used a part of their quota."""
    app.registry.limits.count(f"{counts.PREFIX}:{bucket.name}:{who}", seconds * 1000, count)


@contextlib.contextmanager
def slow_strangers(shares, organization_id):
    """Half of the threads run slow requests of strangers on an organization's forms."""
    with contextlib.ExitStack() as under_way:
        for _ in range(shares.most):
            under_way.callback(shares.leave, -organization_id, shares.enter(-organization_id))
        shares.slow[-organization_id] = 2 * shares.bearable, shares.clock()
        yield
    del shares.slow[-organization_id]
