"""PgBouncer in transaction mode: 64 clients for half a minute through it, and not one failure."""

import time

import pytest

from tests.operations.load import Load
from tests.operations.pooler import Pooler

CLIENTS, SECONDS = 64, 20

pytestmark = pytest.mark.timeout(600)


def test_64_clients_work_through_a_pooler_in_transaction_mode_without_a_failure(service, capsys):
    pooler = Pooler(service.folder, service.owner_url)
    service.start(pooler)
    environ = {**service.environ(pooler.url), "DATABASE_LISTEN_URL": service.postgres.url("pipeline_jobs")}
    web = service.serve(environ)
    service.work(environ)
    customers = service.organizations(web.port, 16)
    with Load(customers, CLIENTS, lambda: web.port) as load:
        time.sleep(SECONDS)
    with capsys.disabled():
        print(f"\n{load.answers.total()} requests of {CLIENTS} clients, failures: {load.failures}")
    assert load.failures == {}
    assert load.answers.total() > 1000
    assert "TO DO" not in service.run("doctor", environ=environ)
