"""Secrets: a check, and files."""

import contextlib
import os
import re
from pathlib import Path

LENGTH, CHARACTERS, RUNS = 32, 10, 24
PLACEHOLDERS = (
    "changeme",
    "changethis",
    "replaceme",
    "replacethis",
    "placeholder",
    "yoursecret",
    "secretkey",
    "password",
    "pipelinedemo",
    "12345678",
    "abcdefgh",
    "qwerty",
)
MAKE_ONE = "make one with: openssl rand -hex 32"


def weakness(secret: str) -> str | None:
    """Why a secret is weak, or None.

    32 random hexadecimal digits fail once in 10,000.
    """
    plain = re.sub(r"[\W_]", "", secret.lower())
    if len(secret) < LENGTH:
        return f"must have at least {LENGTH} characters"
    if len(set(secret)) < CHARACTERS:
        return f"must have at least {CHARACTERS} different characters"
    if len({secret[place : place + 3] for place in range(len(secret) - 2)}) < RUNS:
        return "repeats itself"
    if any(word in plain for word in PLACEHOLDERS):
        return "is one that stands in instructions"
    return None


def write_once(file: Path, content: bytes) -> None:
    """Commands that start together use the first one's file."""
    fresh = file.with_name(f"{file.name}.{os.getpid()}")
    fresh.touch(mode=0o600)
    fresh.write_bytes(content)
    with contextlib.suppress(FileExistsError):
        os.link(fresh, file)
    fresh.unlink()
