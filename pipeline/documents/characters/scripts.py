"""Splits text by script, which Word reads from run properties only."""

import re

RTL = "\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefe\U00010800-\U00010fff\U0001e800-\U0001efff"
# South and South-East Asian.
COMPLEX = "\u0900-\u109f\u1780-\u17ff"
# (`rtl`, `cs` or None, text).
Stretch = tuple[str | None, str]
_ANY = re.compile(f"[{RTL}{COMPLEX}]")
# In ltr text; U+200F makes signs right-to-left.
_RIGHT_TO_LEFT = re.compile(rf"[{RTL}\u200f](?:[^\w{RTL}]*[{RTL}\u200f])*")
_COMPLEX = re.compile(rf"[{COMPLEX}](?:[^\w{RTL}{COMPLEX}]*[{COMPLEX}])*")
# Latin words and figures in rtl text, with whole brackets; U+200E makes signs left-to-right.
_LEFT_TO_RIGHT = re.compile(
    rf"(?:[^\W{RTL}]|\u200e)"
    rf"(?:[^\w{RTL}\u200e()\[\]]*+(?:[^\W{RTL}]|\u200e|[(\[][^{RTL}()\[\]]*[)\]]))*"
)
_LATIN, _ENDS = re.compile(rf"[^\W\d_{RTL}]"), re.compile(r"[\s/\u2013\u2014-]+")


def stretches(text: str, direction: str) -> list[Stretch]:
    if direction == "rtl":
        return [
            part
            for found, stretch in _split(_LEFT_TO_RIGHT, text)
            for part in (_of_left_to_right(stretch) if found else [("rtl", stretch)])
        ]
    return _of_left_to_right(text)


def keep_order(text: str) -> str:
    """Marks Latin words, which keep their order where a line ends."""
    return _LEFT_TO_RIGHT.sub(
        lambda found: _ENDS.sub("\u200e\\g<0>\u200e", found[0]) if _LATIN.search(found[0]) else found[0], text
    )


def is_latin(text: str) -> bool:
    """Whether it has words, none of them right-to-left."""
    return not _RIGHT_TO_LEFT.search(text) and bool(re.search(r"\w", text))


def latin_start(text: str) -> int:
    """Where its last words begin, if these are Latin; else its length."""
    *_, last = [None, *_LEFT_TO_RIGHT.finditer(text)]
    is_last = last and _LATIN.search(last[0]) and not _RIGHT_TO_LEFT.search(text, last.end())
    return last.start() if last and is_last else len(text)


def latin_end(text: str) -> int:
    """Where its first words end, if these are Latin; else 0."""
    first = _LEFT_TO_RIGHT.search(text)
    is_first = first and _LATIN.search(first[0]) and not _RIGHT_TO_LEFT.search(text, 0, first.start())
    return first.end() if first and is_first else 0


def _of_left_to_right(text: str) -> list[Stretch]:
    if not _ANY.search(text):
        return [(None, text)]
    return [
        part
        for found, stretch in _split(_RIGHT_TO_LEFT, text)
        for part in ([("rtl", stretch)] if found else [("cs" if c else None, s) for c, s in _split(_COMPLEX, stretch)])
    ]


def _split(pattern: re.Pattern[str], text: str) -> list[tuple[bool, str]]:
    parts, position = [], 0
    for match in pattern.finditer(text):
        parts += [(False, text[position : match.start()]), (True, match[0])]
        position = match.end()
    return [part for part in [*parts, (False, text[position:])] if part[1]]
