"""Looks into an upload for active content, in a process of its own.

A hostile file costs whoever reads it memory and time. So the modules of active_content/ run in a process that the
kernel bounds, with nothing of the service in it: no setting, no connection, no file but this one.
"""

import os
import signal
import subprocess
import sys
from enum import Enum
from pathlib import Path
from typing import IO

from pipeline.errors import Problem
from pipeline.http.cores import everywhere

MIB = 1024 * 1024
CPU_SECONDS, MEMORY_MIB = 8, 768
# As that of the processes that render: requests come first.
NICENESS = 5
# On a busy machine the processor's seconds take longer by the clock.
PATIENCE = 30
LONGEST = 200
TOO_BUSY = "The file cannot be checked at the moment."
LIBRARIES = "LD_LIBRARY_PATH"
HERE = Path(__file__).parent
# The module of active_content/ that reads each kind of file.
MODULES = {"pdf": "pdf", "docx": "office", "xlsx": "office", "csv": "cells"}
# Run before anything else is imported. The clock's alarm ends the process should the service die meanwhile.
MAIN = """
import importlib, os, resource, signal, sys
folder, module, kind = sys.argv[1:4]
number, seconds, memory, patience, niceness = map(int, sys.argv[4:])
os.nice(niceness)
resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds + 1))
resource.setrlimit(resource.RLIMIT_AS, (memory, memory))
resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))
resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
signal.alarm(patience)
sys.path.append(folder)
with open(number, "rb") as file:
    print(importlib.import_module("active_content." + module).found(file, kind) or "", end="")
"""


class Finding(Enum):
    """What a search for words in the text of a PDF has found; UNREAD where no text could be read."""

    PRESENT = "present"
    ABSENT = "absent"
    UNREAD = ""


def obstacle(kind: str, file: IO[bytes]) -> str | None:
    """What stands in the way in a file on disk of a kind of MODULES, a few words, or "" when nothing does.

    None when it is damaged or takes more time or memory to read than a signed copy does. 503 when there is no process
    to be had, or the machine is too busy.
    """
    return _inspected(MODULES[kind], kind, file)


def text_holds(words: str, file: IO[bytes]) -> Finding:
    """Whether the text of a PDF on disk holds some words. 503 as for `obstacle`."""
    return Finding(_inspected("pdf_text", words, file) or "")


def _inspected(module: str, asked: str, file: IO[bytes]) -> str | None:
    """What `found(file, asked)` of a module of active_content/ says; None when it fails or reaches a bound."""
    file.flush()
    try:
        # Opened anew: a descriptor that two processes share has one offset, and the child's reading moves it.
        with open(f"/proc/self/fd/{file.fileno()}", "rb") as opened, everywhere():
            number = opened.fileno()
            bounds = [number, CPU_SECONDS, MEMORY_MIB * MIB, PATIENCE, NICENESS]
            done = subprocess.run(
                [sys.executable, "-I", "-c", MAIN, str(HERE), module, asked, *map(str, bounds)],
                pass_fds=(number,),
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                cwd="/",
                env={"LC_ALL": "C.UTF-8", **{name: value for name, value in os.environ.items() if name == LIBRARIES}},
                timeout=PATIENCE + 1,
                check=False,
            )
    except (OSError, subprocess.TimeoutExpired) as error:
        raise Problem("unavailable", TOO_BUSY) from error
    if done.returncode == -signal.SIGALRM:
        raise Problem("unavailable", TOO_BUSY)
    return done.stdout.decode()[:LONGEST] if done.returncode == 0 else None
