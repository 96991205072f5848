import pytest

from tests.operations.load import Load
from tests.operations.pooler import Pooler

CLIENTS, REQUESTS = 64, 5000

pytestmark = pytest.mark.timeout(600)


def test_64_clients_work_through_a_pooler_in_transaction_mode_without_a_failure(service):
    pooler = Pooler(service.folder, service.owner_url)
    service.start(pooler)
    environ = {**service.environ(pooler.url), "DATABASE_LISTEN_URL": service.postgres.url("pipeline_jobs")}
    web = service.serve(environ)
    service.work(environ)
    customers = service.organizations(web.port, 16)
    with Load(customers, CLIENTS, lambda: web.port) as load:
        load.wait_for(REQUESTS)
    print(f"{load.answers.total()} requests of {CLIENTS} clients, failures: {load.failures}")
    assert load.failures == {}
    assert "TO DO" not in service.run("doctor", environ=environ)
