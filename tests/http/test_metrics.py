"""`/metrics` for Prometheus."""

import re

from tests.support import interview


def value(anonymous, line):
    """The value of a metric's line, 0 when it is not there."""
    text = anonymous.get("/metrics", status=200).text
    found = re.search(f"^{re.escape(line)} (.+)$", text, re.MULTILINE)
    return float(found[1]) if found else 0.0


def requests(method, route, status):
    return f'pipeline_request_seconds_count{{method="{method}",route="{route}",status="{status}"}}'


def test_requests_are_counted_by_route_and_status(anonymous, member):
    line = requests("GET", "/api/leads", 200)
    before = value(anonymous, line)
    member.get("/api/leads", status=200)
    member.get("/api/leads", status=200)
    assert value(anonymous, line) == before + 2


def test_neither_tokens_nor_unknown_paths_stand_in_the_metrics(organization, anonymous):
    invite = organization.invite()
    anonymous.get(interview(invite), status=200)
    anonymous.get("/api/no-such-thing", status=404)
    text = anonymous.get("/metrics", status=200).text
    assert invite["token"] not in text
    assert "no-such-thing" not in text
    assert requests("any", "none", 404) in text


def test_the_backlog_of_the_outbox_is_shown(organization, anonymous):
    before = value(anonymous, "pipeline_outbox_waiting")
    organization.invite(send_email=True)
    assert value(anonymous, "pipeline_outbox_waiting") == before + 1
    assert value(anonymous, "pipeline_database_up") == 1
