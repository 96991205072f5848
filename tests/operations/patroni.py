"""Two PostgreSQL servers under Debian's Patroni, which agree with a third voter by Raft who of them takes changes."""

import contextlib
import json
import os
import subprocess
import urllib.request
from pathlib import Path

import psutil

from development.account import choose_account
from development.ports import free_port
from development.postgres import binary
from development.supervisor import environment
from experiments.chaos.processes import START_SECONDS, Program, wait_until

PATRONI, VOTER = Path("/usr/bin/patroni"), Path("/usr/bin/patroni_raft_controller")
# The shortest that Patroni takes: so long nobody is the leader after one has vanished.
TTL_SECONDS = 20
BOOTSTRAP = {
    "dcs": {
        "ttl": TTL_SECONDS,
        "loop_wait": 2,
        "retry_timeout": 3,
        # An answer is a promise of both servers.
        "synchronous_mode": True,
        "postgresql": {"use_pg_rewind": True, "parameters": {"max_connections": 200}},
    },
    "initdb": [{"encoding": "UTF8"}, {"locale": "C"}],
}


class Member(Program):
    """A member of the Raft group, who runs a PostgreSQL server unless it only votes."""

    def __init__(self, name, folder, votes_only=False):
        self.raft, self.api, self.port = free_port(), free_port(), free_port()
        self.votes_only, self.data = votes_only, folder / name
        self.account = choose_account(self.data, binary("postgres"))
        super().__init__(name, folder, [], environment())
        self.command = self.account.command(
            self.data, VOTER if votes_only else PATRONI, str(self.data / "patroni.json"), end_signal="KILL"
        )

    def write(self, others):
        """Write its configuration (JSON is YAML)."""
        group = {"data_dir": str(self.data / "raft"), "self_addr": f"127.0.0.1:{self.raft}"}
        told = {"raft": group | {"partner_addrs": [f"127.0.0.1:{other.raft}" for other in others]}}
        if not self.votes_only:
            told |= {"scope": "pipeline", "name": self.name, "bootstrap": BOOTSTRAP, "postgresql": self._server()}
            told["restapi"] = {"listen": f"127.0.0.1:{self.api}", "connect_address": f"127.0.0.1:{self.api}"}
        (self.data / "patroni.json").write_text(json.dumps(told))
        self.account.make_folder(self.data)
        os.chown(self.data / "patroni.json", *self.account.owner)

    def _server(self):
        address = f"127.0.0.1:{self.port}"
        return {
            "listen": address,
            "connect_address": address,
            "data_dir": str(self.data / "postgres"),
            "bin_dir": str(binary("postgres").parent),
            "pgpass": str(self.data / "pgpass"),
            "authentication": {"superuser": {"username": "postgres"}, "replication": {"username": "replicator"}},
            "parameters": {"unix_socket_directories": ""},
            "pg_hba": ["host all all 127.0.0.1/32 trust", "host replication all 127.0.0.1/32 trust"],
        }

    def is_ready(self):
        return self.votes_only or self.state() is not None

    def state(self):
        """What its Patroni says of the cluster: {name: {"role": …, "state": …}}, or None."""
        url = f"http://127.0.0.1:{self.api}/cluster"
        with contextlib.suppress(OSError, ValueError), urllib.request.urlopen(url, timeout=2) as response:
            return {member["name"]: member for member in json.load(response)["members"]}
        return None

    def kill(self):
        """What a power cut does: Patroni, the server, and all that it has started are gone."""
        servers = self._processes()
        super().kill()
        for process in servers:
            with contextlib.suppress(psutil.Error):
                process.kill()

    def _processes(self):
        """The server's processes (psutil), which are none of Patroni's: it would not let them end with it."""
        with contextlib.suppress(OSError, psutil.Error):
            server = psutil.Process(int((self.data / "postgres" / "postmaster.pid").read_text().split()[0]))
            return [server, *server.children(recursive=True)]
        return []


class Cluster:
    """Two servers and a voter in `folder`; started, ended and asked for URLs as one Postgres is."""

    def __init__(self, folder):
        self.folder = folder
        self.servers = [Member("one", folder), Member("two", folder)]
        self.members = [*self.servers, Member("voter", folder, votes_only=True)]

    def start_and_wait(self):
        """Return when one leads and the other follows it synchronously."""
        for member in self.members:
            member.write([other for other in self.members if other is not member])
            member.start()
        self.wait_until_whole()

    def wait_until_whole(self):
        """Return when each of the two can take the other's place without a loss."""
        wait_until(lambda: self._roles() == {"leader", "sync_standby"}, START_SECONDS, "both servers are there")

    def _roles(self):
        state = next(filter(None, (server.state() for server in self.servers)), {})
        return {member["role"] for member in state.values() if member["state"] in ("running", "streaming")}

    def leader(self):
        """The Member that takes changes, None while there is none."""
        for server in self.servers:
            for name, member in (server.state() or {}).items():
                if (member["role"], member["state"]) == ("leader", "running"):
                    return next(found for found in self.servers if found.name == name)
        return None

    def url(self, login="postgres"):
        """A URL that leads to whoever takes changes."""
        hosts = ",".join(f"127.0.0.1:{server.port}" for server in self.servers)
        return f"postgresql://{login}@{hosts}/postgres?target_session_attrs=read-write"

    def switch(self):
        """Let the other one lead, in order, as an operator does."""
        leader = self.leader()
        command = ["patronictl", "-c", str(leader.data / "patroni.json"), "switchover", "--force", "pipeline"]
        done = subprocess.run([*command, "--master", leader.name], capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stdout + done.stderr

    def close(self):
        for member in self.members:
            member.kill()
