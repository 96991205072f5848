"""Finds characters without a font."""

import functools
import re
import shutil
import subprocess
import sys
import unicodedata

import structlog

# Characters that print nothing: spaces, controls, joiners, fillers, variation selectors, tags.
_SHAPELESS = re.compile(
    "[\\s\x00-\x1f\x7f-\x9f\xad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u2028-\u202e\u2060-\u206f"
    "\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufffb\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e0fff]"
)
# A letter of each script to print, and a sign.
SCRIPTS = {
    "Latin": "a",
    "Greek": "α",
    "Cyrillic": "я",
    "Arabic": "ع",
    "Hebrew": "א",
    "Thai": "ก",
    "Devanagari": "अ",
    "Chinese": "国",
    "Japanese": "の",
    "Korean": "한",
    "Emoji": "🚀",
}
PACKAGES = "fontconfig, fonts-noto-core, fonts-noto-cjk and fonts-noto-color-emoji"
LISTER = "fc-list"

log = structlog.get_logger(__name__)


def unprintable(text: str) -> set[str]:
    return {char for char in set(text) if not _is_printable(char)}


def missing_scripts() -> list[str]:
    """The SCRIPTS without a font; all without fontconfig."""
    if shutil.which(LISTER) is None:
        return list(SCRIPTS)
    return [name for name, letter in SCRIPTS.items() if not _covers(letter)]


def _is_printable(char: str) -> bool:
    if char.isascii() or _SHAPELESS.match(char):
        return True
    # A font can compose an accented letter from its two parts.
    return all(map(_covers, char)) or all(map(_covers, unicodedata.normalize("NFD", char)))


def _covers(char: str) -> bool:
    return bool(_coverage()[ord(char)])


@functools.cache
def _coverage() -> bytes:
    """1 or 0 per code point, cached per process."""
    command = [LISTER, "--format", "%{charset}\n"]
    try:
        listed = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    except FileNotFoundError:
        # Rendering still works; `pipeline doctor` reports this.
        log.warning("fonts_unknown", missing=LISTER)
        return b"\1" * (sys.maxunicode + 1)
    known = bytearray(sys.maxunicode + 1)
    for first, _dash, last in (part.partition("-") for part in set(listed.split())):
        start, end = int(first, 16), int(last or first, 16) + 1
        known[start:end] = b"\1" * (end - start)
    return bytes(known)
