"""Checks an upload in a process with kernel limits."""

import os
import signal
import subprocess
import sys
from enum import Enum
from pathlib import Path
from typing import IO

from pipeline.process.cores import use_all_cores
from pipeline.process.priority import NICENESS
from pipeline.validation.errors import Problem

MIB = 1024 * 1024
CPU_SECONDS, MEMORY_MIB = 8, 768
# Wall-clock seconds.
PATIENCE = 30
LONGEST = 200
TOO_BUSY = "The file cannot be checked at the moment."
LIBRARIES = "LD_LIBRARY_PATH"
HERE = Path(__file__).parent
NAMES = {"pdf": "pdf", "docx": "office", "xlsx": "office", "csv": "cells"}
MODULES = {kind: f"active_content.{name}" for kind, name in NAMES.items()}
# The limits precede all other imports; the alarm works even without the service.
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
    found = importlib.import_module(module).inspect(file, kind) or b""
sys.stdout.buffer.write(found if isinstance(found, bytes) else found.encode())
"""


class Finding(Enum):
    """UNREAD: the PDF has no readable text."""

    PRESENT = "present"
    ABSENT = "absent"
    UNREAD = ""


def obstacle(kind: str, file: IO[bytes]) -> str | None:
    """The obstacle in a file, "", or None if damaged or beyond a limit; 503 if busy."""
    return inspected(MODULES[kind], kind, file)


def text_holds(words: str, file: IO[bytes]) -> Finding:
    """Searches a PDF's text; 503 if busy."""
    return Finding(inspected("active_content.pdf_text", words, file) or "")


def inspected(
    module: str,
    asked: str,
    file: IO[bytes],
    folder: Path = HERE,
    longest: int = LONGEST,
    cpu_seconds: int | None = None,
) -> str | None:
    """The output of `inspect(file, asked)` of a module in a folder; None after a failure; 503 if busy."""
    found = inspected_bytes(module, asked, file, folder, cpu_seconds)
    return None if found is None else found.decode()[:longest]


def inspected_bytes(
    module: str, asked: str, file: IO[bytes], folder: Path = HERE, cpu_seconds: int | None = None
) -> bytes | None:
    """As `inspected`, of any length."""
    file.flush()
    try:
        # A descriptor shared with the child would share its offset.
        with open(f"/proc/self/fd/{file.fileno()}", "rb") as opened, use_all_cores():
            number = opened.fileno()
            bounds = [number, CPU_SECONDS if cpu_seconds is None else cpu_seconds, MEMORY_MIB * MIB, PATIENCE, NICENESS]
            done = subprocess.run(
                [sys.executable, "-I", "-c", MAIN, str(folder), module, asked, *map(str, bounds)],
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
    return done.stdout if done.returncode == 0 else None
