"""The metrics of alerts and dashboard exist after some work of web service and worker."""

import json
import re
import socket
import urllib.request

import pytest
import yaml
from prometheus_client.parser import text_string_to_metric_families

from development.ports import free_port
from tests.chaos.processes import ROOT, wait_until
from tests.operations.service import ask

pytestmark = pytest.mark.timeout(300)
MONITORING = ROOT / "deploy" / "monitoring"
METRIC = re.compile(r"(pipeline_[a-z_]+)(?:\{([^}]*)\})?")
LABEL = re.compile(r"([a-z_]+)(?:=~|!~|!=|=)")
GROUPED = re.compile(r"\bby \(([^)]*)\)")


def expressions():
    """The expressions of all alerts and panels."""
    rules = yaml.safe_load((MONITORING / "alerts.yml").read_text())["groups"][0]["rules"]
    panels = json.loads((MONITORING / "dashboard.json").read_text())["panels"]
    return [rule["expr"] for rule in rules] + [one["expr"] for panel in panels for one in panel["targets"]]


def shown(*ports):
    """{name of a series: its labels} of what processes show on their ports."""
    found = {}
    for port in ports:
        with urllib.request.urlopen(f"http://127.0.0.1:{port}/metrics", timeout=10) as answer:
            for family in text_string_to_metric_families(answer.read().decode()):
                for sample in family.samples:
                    found.setdefault(sample.name, set()).update(sample.labels)
    return found


def work(web, customer):
    """Do what each metric counts: an email, a document, a message to a webhook, a request that is no HTTP."""

    def send(path, body):
        return ask(web.port, "POST", path, customer.authorization, body)

    send("/api/webhooks", {"url": f"https://127.0.0.1:{free_port()}/", "events": ["lead.created"]})
    send("/api/leads", {"first_name": "Ada"})
    invite = {"template_id": customer.template_id, "recipient_email": "ada@one.example", "send_email": True}
    send("/api/interview-invites", invite)
    template = send("/api/contract-templates", {"name": "Order", "content": "<p>Text</p>"})
    send("/api/contracts", {"template_id": template["id"], "effective_date": "2026-01-01"})
    with socket.create_connection(("127.0.0.1", web.port)) as client:
        client.sendall(b"no request\r\n\r\n")
        client.recv(1024)


def test_every_alert_and_panel_asks_for_what_is_shown(service):
    port = free_port()
    environ = service.environ() | {"WORKER_METRICS": f"127.0.0.1:{port}", "WEBHOOK_ALLOW_PRIVATE": "true"}
    web = service.serve(environ)
    service.work(environ)
    (customer,) = service.organizations(web.port, 1)
    work(web, customer)
    asked = {name for text in expressions() for name, _ in METRIC.findall(text)}
    wait_until(lambda: asked <= shown(web.port, port).keys(), 120, f"each of {sorted(asked)} is shown")
    found = shown(web.port, port)
    for text in expressions():
        names = METRIC.findall(text)
        for name, labels in names:
            assert set(LABEL.findall(labels)) <= found[name], text
        grouped = {label for words in GROUPED.findall(text) for label in words.split(", ")}
        assert grouped <= set().union(*(found[name] for name, _ in names)), text
    # These are Prometheus' own, which it would rename.
    assert not {"job", "instance"} & set().union(*found.values())
