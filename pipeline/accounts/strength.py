"""Password strength by zxcvbn; a score below 3 (10^8 guesses) is refused."""

import re
import threading
from collections.abc import Iterable

from zxcvbn import zxcvbn

from pipeline.validation import Violation
from pipeline.validation.errors import Problem

SHORTEST_PASSWORD, LONGEST_PASSWORD = 10, 1024
LOWEST_SCORE = 3
EASY = "This password is easy to guess"
# zxcvbn's time grows with the length squared, and faster with the number of DISGUISES (64: 2 s). These limits mean at
# most 60 ms; a strong beginning suffices.
JUDGED = 32
DISGUISES, MOST_DISGUISES = "4@8({[<3691!|70$5+%2", 8
# zxcvbn keeps known words in a module variable, shared by threads.
_one_at_a_time = threading.Lock()


def check_strength(password: str, known_words: Iterable[str | None], field: str = "password") -> None:
    """Raises 422 for a weak password. known_words: about its owner; field: for the violation."""
    if advice := weakness(password, known_words):
        detail = " ".join(advice)
        raise Problem("weak_password", detail, [Violation(field, "weak_password", detail)], advice=advice)


def weakness(password: str, known_words: Iterable[str | None]) -> list[str]:
    """Advice in sentences; empty for a strong password."""
    surplus = _surplus(password)
    words = [word.translate(surplus) for word in _words(known_words)]
    with _one_at_a_time:
        judged = zxcvbn(judged_part(password), user_inputs=words)
    if judged["score"] >= LOWEST_SCORE:
        return []
    feedback = judged["feedback"]
    return [_sentence(text) for text in (feedback["warning"] or EASY, *feedback["suggestions"])]


def judged_part(password: str) -> str:
    """The part that zxcvbn judges."""
    return password[:JUDGED].translate(_surplus(password))


def _surplus(password: str) -> dict[int, str]:
    """Hides surplus kinds of DISGUISES."""
    kinds = dict.fromkeys(char for char in password if char in DISGUISES)
    return str.maketrans(dict.fromkeys(list(kinds)[MOST_DISGUISES:], "\N{REPLACEMENT CHARACTER}"))


def _words(texts: Iterable[str | None]) -> list[str]:
    """Adds the parts: of `kim.lee@acme.example` kim, lee, acme and example."""
    known = [text.casefold() for text in texts if text]
    parts = [part for text in known for part in re.split(r"[\W_]+", text) if len(part) > 2]
    return list(dict.fromkeys(part[:JUDGED] for part in known + parts))[:100]


def _sentence(text: str) -> str:
    return text if text.endswith((".", "!", "?")) else f"{text}."
