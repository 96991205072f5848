"""The embedded Redis: real, private, and kept between runs; how it ends: test_sharing.py."""

import re
import stat

import psutil
import pytest
import redis

from development.redis import EmbeddedRedis
from tests.development.conftest import has_no_rights_of_root
from tests.waiting import SECONDS

pytestmark = pytest.mark.long


def client(server):
    return redis.Redis.from_url(server.url(), decode_responses=True)


def process(server):
    configuration = str(server.data / "redis.conf")
    (found,) = [each for each in psutil.process_iter(["cmdline"]) if configuration in (each.info["cmdline"] or [])]
    return found


def test_data_and_address_outlive_a_killed_server_and_a_run(folder):
    with EmbeddedRedis(folder) as server, client(server) as connection:
        connection.set("kept", "42")
        killed, url = process(server), server.url()
        killed.kill()
        killed.wait(SECONDS)
    with EmbeddedRedis(folder) as server, client(server) as connection:
        assert (connection.get("kept"), server.url()) == ("42", url)


def test_it_listens_on_loopback_alone_and_has_a_password_of_its_owner_and_not_the_rights_of_root(folder):
    with EmbeddedRedis(folder, durable=False) as server:
        running = process(server)
        listening = {each.laddr.ip for each in running.net_connections("inet") if each.status == "LISTEN"}
        assert listening == {"127.0.0.1"}
        _, password, _, port, _ = re.split("[:@/]+", server.url())
        with redis.Redis(port=int(port)) as stranger, pytest.raises(redis.AuthenticationError):
            stranger.ping()
        assert has_no_rights_of_root(running.pid)
        for file in (folder / "address.json", server.data / "redis.conf"):
            assert password in file.read_text()
            assert stat.S_IMODE(file.stat().st_mode) == 0o600
        assert password not in " ".join(running.cmdline())
