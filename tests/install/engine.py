"""Containers and images for a test, by Debian's podman and buildah, which `docker compose` uses."""

import contextlib
import json
import os
import re
import resource
import shutil
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from tests.waiting import wait_until

ROOT = Path(__file__).resolve().parents[2]
STANDINS = Path(__file__).with_name("standins")
BASE = "python:3.11-slim-bookworm"
# Between two looks at the health of all containers, as in compose.yaml.
HEALTH_SECONDS = 5
# The packages that the official base has, and Debian's Python.
PACKAGES = "ca-certificates,netbase,tzdata,python3.11,python3.11-venv"
# Of a container: the engine's own limit is more than it may give where it is in a container itself.
PROCESSES = 4096
SETTINGS = """
[containers]
default_ulimits = ["nofile={files}:{files}", "nproc={processes}:{processes}"]
[engine]
cgroup_manager = "cgroupfs"
events_logger = "none"
runtime = "runc"
[network]
network_backend = "netavark"
network_config_dir = "{folder}/networks"
"""
# `docker compose` is Debian's first one, which has to be told that there is no terminal, and itself asks `docker` to
# start a container and to stay with it.
DOCKER = """#!{python}
import os, sys
if sys.argv[1] != "compose":
    os.execvp("podman", ["podman", *{place}, *sys.argv[1:]])
words = ["-e" if word == "--env" else word for word in sys.argv[2:]]
os.execvp("docker-compose", ["docker-compose", *words[:1], *(["-T"] if words[0] == "run" else []), *words[1:]])
"""
# What the build's pip is told: the packages are in a folder, so the build needs no settings for a proxy.
PIP = "[global]\nno-index = true\nfind-links = /wheels\n"


class Engine:
    """Images and containers in `folder`; a context manager that leaves none of them behind.

    `environ` is the environment of a shell in which `docker compose` works with them.
    """

    def __init__(self, folder):
        self.folder, self.over = folder, threading.Event()
        files = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
        self.place = ["--root", str(folder / "images"), "--runroot", str(folder / "running")]
        settings, docker, socket = folder / "containers.conf", folder / "bin" / "docker", folder / "engine.sock"
        settings.write_text(SETTINGS.format(folder=folder, files=files, processes=PROCESSES))
        docker.parent.mkdir()
        docker.write_text(DOCKER.format(python=sys.executable, place=self.place))
        docker.chmod(0o755)
        path = f"{docker.parent}:{os.environ['PATH']}"
        self.environ = {"PATH": path, "CONTAINERS_CONF": str(settings), "DOCKER_HOST": f"unix://{socket}"}

    def __enter__(self):
        with contextlib.ExitStack() as stack:
            stack.callback(shutil.rmtree, self.folder)
            with (self.folder / "engine.log").open("w") as log:
                command = ["podman", *self.place, "system", "service", "--time", "0", self.environ["DOCKER_HOST"]]
                service = stack.enter_context(subprocess.Popen(command, env=self.environ, stdout=log, stderr=log))
            stack.callback(service.terminate)
            for words in ("network prune", "volume prune", "rm --all"):
                stack.callback(self.podman, *words.split(), "--force")
            heart = threading.Thread(target=self._ask_for_health)
            heart.start()
            stack.callback(heart.join)
            stack.callback(self.over.set)
            wait_until((self.folder / "engine.sock").exists)
            self.stack = stack.pop_all()
        return self

    def __exit__(self, *_error):
        self.stack.close()

    def _ask_for_health(self):
        """What systemd's timers do elsewhere; a container may be gone meanwhile."""
        while not self.over.wait(HEALTH_SECONDS):
            for id in self._do(["podman", *self.place, "ps", "--quiet"], check=False).split():
                self._do(["podman", *self.place, "healthcheck", "run", id], check=False)

    def podman(self, *words):
        return self._do(["podman", *self.place, *words])

    def inspect(self, name):
        (found,) = json.loads(self.podman("container", "inspect", name))
        return found

    def build(self, name, context, *options):
        how = ("--isolation", "chroot", "--network", "host", "--format", "docker", "--pull-never")
        self._do(["buildah", *self.place, "build", *how, *options, "--tag", name, str(context)])

    def _do(self, command, check=True):
        done = subprocess.run(command, env=self.environ, capture_output=True, text=True, check=False)
        assert not check or done.returncode == 0, f"{command}\n{done.stdout[-3000:]}\n{done.stderr[-3000:]}"
        return done.stdout

    def have_bases(self, *names):
        """Get the images that ours is built on and works with; where no registry answers, build their stand-ins."""
        for name in (BASE, *names):
            official = f"docker.io/library/{name}"
            with contextlib.suppress(AssertionError):
                self._do(["buildah", *self.place, "pull", official])
                continue
            context = STANDINS / name.partition(":")[0]
            if name == BASE:
                context = self._with_debian(context)
            self.build(official, context)

    def _with_debian(self, context):
        made = shutil.copytree(context, self.folder / "base")
        command = ["mmdebstrap", "--quiet", "--variant=minbase", f"--include={PACKAGES}", "bookworm", made / "base.tar"]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        if done.returncode:
            pytest.skip(f"There is no base for the image: no registry answers, nor does Debian: {done.stderr[-500:]}")
        return made

    def build_ours(self, name):
        """Build the repository's Dockerfile as it is."""
        wheels, settings, lock = self.folder / "wheels", self.folder / "pip.conf", self.folder / "all.lock"
        settings.write_text(PIP)
        # For any Python 3.11: its patch level decides about one of the packages.
        lock.write_text(re.sub(r" ;[^\\\n]*", "", (ROOT / "requirements" / "runtime.lock").read_text()))
        options = ("--no-deps", "--require-hashes", "--ignore-requires-python", "--only-binary", ":all:")
        where = ("--python-version", "3.11", "--requirement", str(lock), "--dest", str(wheels))
        subprocess.run([sys.executable, "-m", "pip", "--quiet", "download", *options, *where], check=True)
        self.build(name, ROOT, "--volume", f"{wheels}:/wheels:ro", "--volume", f"{settings}:/etc/pip.conf:ro")
