"""Programs end with the process that started them, and a wrong start is explained."""

import os
import subprocess
import sys
from pathlib import Path

import psutil

from development import launch
from tests.waiting import started, wait_until

LAUNCH = [sys.executable, "-I", "-S", launch.__file__, "TERM", "same", "0", "0"]
REPOSITORY = Path(__file__).parents[2]


def make(*arguments):
    environment = {name: value for name, value in os.environ.items() if not name.startswith("MAKE")}
    command = ["make", *arguments]
    return subprocess.run(command, cwd=REPOSITORY, env=environment, capture_output=True, text=True, check=False)


def test_a_program_ends_when_its_parent_is_killed(tmp_path):
    inner = [*LAUNCH, str(tmp_path), sys.executable, "-c", "import time; time.sleep(600)"]
    outer = f"import subprocess; p = subprocess.Popen({inner!r}); print(p.pid, flush=True); p.wait()"
    with started([sys.executable, "-c", outer], stdout=subprocess.PIPE, text=True) as parent:
        child = psutil.Process(int(parent.stdout.readline()))
        wait_until(lambda: child.cmdline()[1:] == inner[-2:])
        parent.kill()
    wait_until(lambda: not child.is_running() or child.status() == psutil.STATUS_ZOMBIE)


def test_a_program_that_cannot_be_run_is_named(tmp_path):
    command = [*LAUNCH, str(tmp_path), "/no/such/program"]
    ran = subprocess.run(command, capture_output=True, text=True, check=False)
    assert ran.returncode == launch.WAY_FAILED
    assert "/no/such/program cannot be run in the way 'same': [Errno 2]" in ran.stderr


def test_an_old_python_is_refused_with_the_way_to_name_another(tmp_path):
    old = tmp_path / "python"
    old.write_text('#!/bin/sh\n[ "$1" = --version ] && echo Python 3.9.2\nexit 1\n')
    old.chmod(0o755)
    ran = make("system", f"PYTHON={old}")
    assert ran.returncode == 2
    assert f"Python 3.11 or newer is needed; '{old}' is Python 3.9.2." in ran.stderr


def test_every_target_is_explained():
    listed = make("help").stdout
    for target in ("serve", "tests", "bench", "lint", "clean"):
        assert f"  make {target} " in listed
