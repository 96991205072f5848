"""The exception and words of all scanners."""

LINKED = "a link to anything but http, https, mailto or tel"


class Obstacle(Exception):
    """The message describes the obstacle."""


def words(text: str) -> list[str]:
    """Splits a list."""
    return text.split()
