"""Clients with counted requests, and the limits in their responses."""

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
