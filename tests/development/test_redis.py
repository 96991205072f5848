"""The embedded Redis: real, private, and kept between runs; how it ends: test_sharing.py."""

import stat

import psutil
import pytest
import redis

from development.redis import EmbeddedRedis
from tests.development.conftest import has_no_rights_of_root
from tests.waiting import SECONDS, wait_until

pytestmark = pytest.mark.long


@pytest.fixture
def server(folder):
    with EmbeddedRedis(folder, durable=False) as running:
        yield running


def client(server):
    return redis.Redis.from_url(server.url(), decode_responses=True)


def process(server):
    configuration = str(server.data / "redis.conf")
    (found,) = [each for each in psutil.process_iter(["cmdline"]) if configuration in (each.info["cmdline"] or [])]
    return found


def test_data_and_address_are_kept_between_runs(folder):
    with EmbeddedRedis(folder) as server, client(server) as connection:
        connection.set("kept", "42")
        url = server.url()
    with EmbeddedRedis(folder) as server, client(server) as connection:
        assert connection.get("kept") == "42"
        assert server.url() == url


def test_what_was_written_survives_a_killed_server(folder):
    with EmbeddedRedis(folder) as server, client(server) as connection:
        connection.set("kept", "42")
        killed = process(server)
        killed.kill()
        killed.wait(SECONDS)
        wait_until(server.is_ready)
        assert connection.get("kept") == "42"


def test_it_listens_on_loopback_alone_asks_for_a_password_and_has_not_the_rights_of_root(server):
    listening = {each.laddr.ip for each in process(server).net_connections("inet") if each.status == "LISTEN"}
    assert listening == {"127.0.0.1"}
    port = server.url().rpartition(":")[2].partition("/")[0]
    with redis.Redis(port=int(port)) as stranger, pytest.raises(redis.AuthenticationError):
        stranger.ping()
    assert has_no_rights_of_root(process(server).pid)


def test_the_password_is_readable_by_the_owner_alone_and_in_no_command_line(server, folder):
    password = server.url().split(":")[2].partition("@")[0]
    for file in (folder / "address.json", server.data / "redis.conf"):
        assert password in file.read_text()
        assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert password not in " ".join(process(server).cmdline())
