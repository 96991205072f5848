"""How hard a password is to guess, judged by zxcvbn: it knows common passwords, names, words, keyboards and dates.

A password that the judge takes to be guessable within 10^8 tries (a score below 3) is refused with its advice.
"""

import re
import threading
from collections.abc import Iterable

from zxcvbn import zxcvbn

from pipeline.errors import Problem
from pipeline.validation import Violation

SHORTEST_PASSWORD, LONGEST_PASSWORD = 10, 1024
LOWEST_SCORE = 3
EASY = "This password is easy to guess"
# The judge's time grows with the square of the length, and much faster with the number of different characters that
# may stand for a letter (2 s for 64 of them). So it sees the beginning, with only so many kinds of these characters:
# 60 ms at most. What is hard to guess in its beginning is hard to guess as a whole.
JUDGED = 32
DISGUISES, MOST_DISGUISES = "4@8({[<3691!|70$5+%2", 8
# zxcvbn keeps the known words in a module variable: without a lock two checks at once would use each other's words.
_one_at_a_time = threading.Lock()


def check_strength(password: str, known_words: Iterable[str | None], field: str = "password") -> None:
    """Raise the 422 for a password that is easy to guess; `known_words` are texts about its owner.

    `field` is where the password stands in the body.
    """
    if advice := weakness(password, known_words):
        detail = " ".join(advice)
        raise Problem("weak_password", detail, [Violation(field, "weak_password", detail)], advice=advice)


def weakness(password: str, known_words: Iterable[str | None]) -> list[str]:
    """What makes a password easy to guess, and what would help, in sentences; none for one that is not."""
    surplus = _surplus(password)
    words = [word.translate(surplus) for word in _words(known_words)]
    with _one_at_a_time:
        judged = zxcvbn(beginning(password), user_inputs=words)
    if judged["score"] >= LOWEST_SCORE:
        return []
    feedback = judged["feedback"]
    return [_sentence(text) for text in (feedback["warning"] or EASY, *feedback["suggestions"])]


def beginning(password: str) -> str:
    """The part of a password that is given to zxcvbn."""
    return password[:JUDGED].translate(_surplus(password))


def _surplus(password: str) -> dict[int, str]:
    """What is not shown to zxcvbn of a password, and so of the words that are known: the kinds beyond the most."""
    kinds = dict.fromkeys(char for char in password if char in DISGUISES)
    return str.maketrans(dict.fromkeys(list(kinds)[MOST_DISGUISES:], "\N{REPLACEMENT CHARACTER}"))


def _words(texts: Iterable[str | None]) -> list[str]:
    """The texts and the words in them: an address `kim.lee@acme.example` makes kim, lee, acme and example known."""
    known = [text.casefold() for text in texts if text]
    parts = [part for text in known for part in re.split(r"[\W_]+", text) if len(part) > 2]
    return list(dict.fromkeys(part[:JUDGED] for part in known + parts))[:100]


def _sentence(text: str) -> str:
    return text if text.endswith((".", "!", "?")) else f"{text}."
