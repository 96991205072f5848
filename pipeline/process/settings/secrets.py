"""A check of secrets."""

import re

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
