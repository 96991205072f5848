"""One measurement: load on one web process, with the processor time of that process and of PostgreSQL."""

import json
import statistics
import subprocess
import sys
from typing import NamedTuple

from bench.servers import ROOT, cpu_seconds
from bench.site import ANSWERS

CONNECTIONS = 8
ENDPOINTS = {
    "list": "GET /api/interview-templates",
    "form": "GET /api/public/interview/{token}",
    "save": "PATCH /api/public/interview/{token}",
}


class Result(NamedTuple):
    """Requests a second, milliseconds of latency, and milliseconds of CPU a request."""

    rate: float
    p50: float
    p99: float
    web: float
    postgres: float


def requests_of(endpoint, site):
    """The raw requests of each connection, sent in turn; no two connections share an invite."""
    if endpoint == "list":
        return [[raw_request("GET", "/api/interview-templates", site.authorization)]] * CONNECTIONS
    lists = []
    for index in range(CONNECTIONS):
        paths = [f"/api/public/interview/{invite}" for invite in site.invites[index::CONNECTIONS]]
        if endpoint == "form":
            lists.append([raw_request("GET", path) for path in paths])
        else:
            lists.append(
                [
                    raw_request("PATCH", path, body=json.dumps({"answers": answers}))
                    for path in paths
                    for answers in ANSWERS
                ]
            )
    return lists


def raw_request(method, path, authorization=None, body=None):
    """The text of an HTTP/1.1 request."""
    lines = [f"{method} {path} HTTP/1.1", "Host: 127.0.0.1", "Accept: application/json"]
    if authorization:
        lines.append(f"Authorization: {authorization}")
    if body is not None:
        lines += ["Content-Type: application/json", f"Content-Length: {len(body)}"]
    return "\r\n".join([*lines, "", body or ""])


def measure(web, label, connections, postgres, seconds, warmup):
    """The Result of a load on `web`; raises RuntimeError for a response other than 2xx.

    connections: the raw requests of each, sent in turn. postgres: the server's process id.
    """
    spec = {"port": web.port, "seconds": seconds, "warmup": warmup, "connections": connections}
    with subprocess.Popen(
        [sys.executable, "-m", "bench.load"], cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as client:
        client.stdin.write(json.dumps(spec))
        client.stdin.close()
        client.stdout.readline()  # warm
        before = web.cpu(), cpu_seconds(postgres)
        line = client.stdout.readline()
        after = web.cpu(), cpu_seconds(postgres)
    if not line:
        raise RuntimeError("The load generator failed.")
    result = json.loads(line)
    if result["errors"] or not result["requests"]:
        raise RuntimeError(f"{web.target}, {label}: {result['errors']} failed: {result['first_error']}")
    used = [(end - start) * 1000 / result["requests"] for start, end in zip(before, after, strict=True)]
    return Result(result["requests"] / seconds, result["p50"], result["p99"], *used)


def median(results):
    """The median of each figure."""
    return Result(*(statistics.median(column) for column in zip(*results, strict=True)))
