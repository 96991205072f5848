"""The exception and words of all scanners."""

LINKED = "a link to anything but http, https, mailto or tel"
UNKNOWN_PART = "a part that Office does not write"


class Obstacle(Exception):
    """The message describes the obstacle."""


def words(text: str) -> list[str]:
    """Splits a list."""
    return text.split()
