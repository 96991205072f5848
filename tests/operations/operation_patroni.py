"""Patroni promotes by itself when a server vanishes, and on demand: the service follows, nothing promised is lost."""

import psycopg
import pytest

from experiments.chaos.processes import wait_until
from tests.mail.mailserver import MailServer
from tests.operations.load import Load
from tests.operations.patroni import TTL_SECONDS, Cluster
from tests.operations.service import Service

CLIENTS, BETWEEN = 16, 400
# A client asks again for a minute; what makes another server the leader takes no longer.
LONGEST_SECONDS = TTL_SECONDS + 30

pytestmark = pytest.mark.timeout(900)


@pytest.fixture
def service(tmp_path):
    with MailServer() as mail, Service(tmp_path, mail.url, Cluster(tmp_path)) as service:
        yield service


def test_a_server_vanishes_and_another_is_put_in_its_place_without_anybody_and_in_order(service, capsys):
    cluster = service.postgres
    web = service.serve(service.environ())
    service.work(service.environ())
    with Load(service.organizations(web.port, 4), CLIENTS, lambda: web.port) as load:
        load.wait_for(BETWEEN)
        lost = cluster.leader()
        lost.kill()
        (promoted,) = [server for server in cluster.servers if server is not lost]
        wait_until(lambda: cluster.leader() is promoted, LONGEST_SECONDS, "the other one leads")
        load.wait_for_successes(BETWEEN, LONGEST_SECONDS)
        vanished = dict(load.failures), load.waited
        lost.start()
        cluster.wait_until_whole()
        load.waited = 0.0
        before = cluster.leader().name
        cluster.switch()
        load.wait_for_successes(BETWEEN, LONGEST_SECONDS)
        cluster.wait_until_whole()
        assert cluster.leader().name != before
    with psycopg.connect(cluster.url()) as owner:
        stored = {email for (email,) in owner.execute("select email from app.leads")}
    with capsys.disabled():
        print(f"\n{len(load.leads)} leads acknowledged, {len(load.leads - stored)} lost")
        print(f"the leader vanished: {vanished[0]}, the longest wait {vanished[1]:.1f} s")
        print(f"the switch: all failures with those {load.failures}, its longest wait {load.waited:.1f} s")
    assert load.leads <= stored
    assert {status for _, status in load.failures} <= {503}
    assert "TO DO" not in service.run("doctor")
