import re

import pytest
from webtest import TestApp

from pipeline.http.server import metrics
from tests.http.processes import ask, web_process
from tests.support import interview


@pytest.fixture
def fresh(monkeypatch):
    monkeypatch.setattr(metrics, "FRESH_SECONDS", 0.0)


def value(anonymous, line):
    """The value of a metric's line, 0 when it is not there."""
    text = anonymous.get("/metrics", status=200).text
    found = re.search(f"^{re.escape(line)} (.+)$", text, re.MULTILINE)
    return float(found[1]) if found else 0.0


def requests(method, route, status):
    return f'pipeline_requests_total{{method="{method}",route="{route}",status="{status}"}}'


def test_requests_are_counted_by_route_and_status(fresh, anonymous, member):
    line = requests("GET", "/api/leads", 200)
    before = value(anonymous, line)
    for _ in range(2):
        member.get("/api/leads", status=200)
    assert value(anonymous, line) == before + 2


def test_neither_tokens_nor_unknown_paths_and_methods_stand_in_the_metrics(fresh, organization, anonymous):
    invite = organization.invite()
    anonymous.get(interview(invite), status=200)
    anonymous.get("/api/no-such-thing", status=404)
    TestApp(anonymous.app.app, lint=False).request("/api/leads", method="FROB", status=405)
    text = anonymous.get("/metrics", status=200).text
    for word in (invite["token"], "no-such-thing", "FROB"):
        assert word not in text
    assert requests("any", "none", 404) in text
    assert requests("any", "/api/leads", 405) in text


@pytest.mark.long
def test_processes_that_count_together_show_each_metric_once_however_often_they_are_asked(login_url, tmp_path):
    folder = tmp_path / "metrics" / "of the web"  # which nobody has made
    with web_process(login_url, tmp_path / "log", "alone", PROMETHEUS_MULTIPROC_DIR=str(folder)) as (_, port):
        for _scrape in range(3):
            _, text = ask(port, "GET", "/metrics")
    families = re.findall(r"^# TYPE (\w+)", text, re.MULTILINE)
    assert len(families) == len(set(families))
    assert {"pipeline_requests_total", "pipeline_outbox_waiting", "pipeline_pool_used"} <= set(families)
    assert "\npipeline_database_up 1.0\n" in text


def test_the_backlog_of_each_queue_is_shown(fresh, organization, anonymous):
    mail, documents = (f'pipeline_outbox_waiting{{queue="{queue}"}}' for queue in ("mail", "documents"))
    before = value(anonymous, mail), value(anonymous, documents)
    organization.invite(send_email=True)
    assert (value(anonymous, mail), value(anonymous, documents)) == (before[0] + 1, before[1])
    assert value(anonymous, "pipeline_database_up") == 1


def test_a_second_request_at_once_gets_the_same_text_and_its_age(monkeypatch, anonymous):
    monkeypatch.setattr(metrics, "FRESH_SECONDS", 60.0)
    first = anonymous.get("/metrics")
    anonymous.get("/healthz", status=200)
    again = anonymous.get("/metrics")
    assert again.text == first.text
    assert 0 <= int(again.headers["Age"]) <= 60
