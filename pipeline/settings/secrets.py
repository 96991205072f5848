"""Whether a secret can be guessed, by a rule simple enough to explain.

A generated secret always passes; what people type in a hurry, and what stands in instructions, does not. With
the secret of the access tokens anybody can be administrator of every organization.
"""

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
    """What makes a secret weak, in a few words, or None.

    It needs 32 characters, 10 different ones, 24 different runs of three (a text that repeats itself has few), and
    nothing of what stands in instructions. Of secrets made of 32 random hexadecimal digits one in 10,000 is refused.
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
