"""A standby is promoted while clients work, and the service follows it by URLs with both hosts: nothing is lost."""

import contextlib
import os

import psycopg
import pytest
from psycopg.conninfo import conninfo_to_dict

from tests.chaos.processes import wait_until
from tests.operations.load import Load
from tests.operations.standby import Standby

CLIENTS, BETWEEN = 16, 400
# How long nobody could write, at most, from the first server's end to the promotion's effect.
LONGEST_SECONDS = 30

pytestmark = pytest.mark.timeout(600)


def whoever_writes(*servers):
    """url(login): a URL that leads to the one of these servers that takes changes."""
    hosts = ",".join(conninfo_to_dict(server.url())["host"] for server in servers)
    ports = ",".join("5432" for _ in servers)
    return lambda login: f"postgresql://{login}@/postgres?host={hosts}&port={ports}&target_session_attrs=read-write"


def end(server):
    """What a power cut does: the server and all that it has started are gone."""
    backends = [*server.backends()]
    server.kill()
    for backend in backends:
        with contextlib.suppress(ProcessLookupError):
            os.kill(backend.pid, 9)


def test_a_promoted_standby_has_all_that_was_promised_and_the_service_goes_on(service):
    primary, standby = service.postgres, Standby(service.folder / "second", service.owner_url)
    with contextlib.closing(standby):
        standby.start_and_wait()
        with psycopg.connect(primary.url(), autocommit=True) as owner:
            # An answer then means that both have it.
            owner.execute("alter system set synchronous_standby_names = '*'")
            owner.execute("select pg_reload_conf()")
            state = "select true from pg_stat_replication where sync_state = 'sync'"
            wait_until(lambda: owner.execute(state).fetchone(), 30, "the standby follows")
        environ = service.environ(whoever_writes(primary, standby))
        web = service.serve(environ)
        service.work(environ)
        with Load(service.organizations(web.port, 4), CLIENTS, lambda: web.port) as load:
            load.wait_for(BETWEEN)
            end(primary)
            with psycopg.connect(standby.url(), autocommit=True) as owner:
                owner.execute("select pg_promote()")
            load.wait_for_successes(BETWEEN, 60)
        with psycopg.connect(standby.url()) as owner:
            stored = {email for (email,) in owner.execute("select email from app.leads")}
        said = service.run("doctor", environ=environ | {"DATABASE_OWNER_URL": standby.url()})
    print(f"{len(load.leads)} leads, {load.failures}, the longest wait {load.waited:.1f} s")
    assert load.leads <= stored
    assert {status for _, status in load.failures} <= {503}
    assert load.waited < LONGEST_SECONDS
    assert "TO DO" not in said
