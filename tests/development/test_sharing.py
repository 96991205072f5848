"""A server lives as long as a process uses it, however these processes end."""

import contextlib
import multiprocessing
import signal

import psycopg
import pytest

from development.postgres import EmbeddedPostgres
from tests.waiting import wait_until

pytestmark = pytest.mark.long


def ask(server, statement):
    with psycopg.connect(server.url(), autocommit=True) as connection:
        return connection.execute(statement).fetchone()[0]


def answers(folder):
    return EmbeddedPostgres(folder).is_ready()


def test_the_last_process_to_leave_stops_the_server(folder, user, machine):
    first, second = user(folder).up(), user(folder).up()
    assert first.leave() == 0
    assert answers(folder)
    assert second.leave() == 0
    assert not machine.processes(folder)


def test_processes_that_start_at_once_share_one_server(folder, user, machine):
    users = [user(folder) for _ in range(4)]
    for each in users:
        each.up()
    assert len(machine.processes(folder)) == 2  # one server and its keeper


def test_a_process_that_comes_while_the_server_stops_gets_a_new_one(folder, user):
    for _ in range(5):
        leaving = user(folder).up()
        leaving.process.stdin.close()
        with EmbeddedPostgres(folder, durable=False) as server:
            assert ask(server, "select 1") == 1


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGKILL])
def test_nothing_is_left_of_a_process_that_a_signal_ends(folder, user, machine, number):
    user(folder).up().end(number)
    wait_until(lambda: not machine.processes(folder))
    assert "database system is shut down" in (folder / "postgres.log").read_text()
    assert user(folder).up().leave() == 0


def test_a_signal_during_the_first_start_leaves_nothing_either(folder, user, machine):
    starting = user(folder)
    wait_until(lambda: (folder / "data.unfinished").exists())
    starting.end(signal.SIGKILL)
    wait_until(lambda: not machine.processes(folder))
    assert user(folder).up().leave() == 0


def test_a_forked_child_does_not_keep_the_server_running(folder, machine):
    with EmbeddedPostgres(folder, durable=False):
        child = multiprocessing.get_context("fork").Process(target=signal.pause)
        child.start()
    try:
        wait_until(lambda: not machine.processes(folder))
    finally:
        child.kill()
        child.join()


def test_a_server_whose_keeper_is_killed_stops(server, folder, machine):
    machine.kill(machine.keeper(folder))
    wait_until(lambda: not machine.processes(folder))


def test_a_killed_server_is_started_again_while_it_is_in_use(server, folder, machine):
    before = machine.postmaster(folder)
    machine.kill(before)
    wait_until(server.is_ready)
    assert machine.postmaster(folder) != before


def test_a_start_clears_away_what_a_killed_server_left(folder, user, machine):
    crowd = user(folder).up()
    machine.kill(machine.keeper(folder), machine.postmaster(folder))
    crowd.end(signal.SIGKILL)
    assert (folder / "data" / "postmaster.pid").exists()
    assert (folder / "socket" / ".s.PGSQL.5432").exists()
    assert user(folder).up().leave() == 0


def test_a_start_waits_for_a_busy_query_of_a_killed_server(folder, user, machine):
    busy = "do $$ begin for i in 1..4000000 loop perform md5(i::text); end loop; end $$"
    with (
        EmbeddedPostgres(folder, durable=False) as server,
        contextlib.closing(psycopg.connect(server.url())) as connection,
    ):
        connection.pgconn.send_query(busy.encode())
        machine.kill(machine.postmaster(folder))
        wait_until(server.is_ready)


def test_calling_stop_twice_does_no_harm(folder):
    with EmbeddedPostgres(folder, durable=False) as server:
        server.stop()
        server.stop()
    assert not answers(folder)
