"""A server lives as long as a process uses it, however these processes end."""

import signal

import pytest

from development.postgres import EmbeddedPostgres
from tests.development.conftest import postmaster, processes
from tests.waiting import wait_until

pytestmark = pytest.mark.long


def test_processes_that_start_at_once_share_one_server_until_the_last_of_them_leaves(folder, user):
    users = [user(folder) for _ in range(4)]
    for each in users:
        each.up()
    assert len(processes(folder)) == 2  # one server and its keeper
    for each in users:
        assert EmbeddedPostgres(folder).is_ready()
        each.leave()
    assert not processes(folder)


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGKILL])
def test_nothing_is_left_of_a_process_that_a_signal_ends(folder, user, number):
    user(folder).up().end(number)
    wait_until(lambda: not processes(folder))
    assert "database system is shut down" in (folder / "postgres.log").read_text()
    user(folder).up().leave()


def test_a_signal_during_the_first_start_leaves_nothing_either(folder, user):
    starting = user(folder)
    wait_until(lambda: (folder / "data.unfinished").exists())
    starting.end(signal.SIGKILL)
    wait_until(lambda: not processes(folder))
    user(folder).up().leave()


def test_a_server_whose_keeper_is_killed_stops(server, folder):
    postmaster(folder).parent().kill()
    wait_until(lambda: not processes(folder))


def test_a_start_clears_away_what_a_killed_server_left(folder, user):
    crowd = user(folder).up()
    killed = postmaster(folder)
    for process in (killed.parent(), killed):
        process.kill()
    crowd.end(signal.SIGKILL)
    assert (folder / "data" / "postmaster.pid").exists()
    assert (folder / "socket" / ".s.PGSQL.5432").exists()
    user(folder).up().leave()
