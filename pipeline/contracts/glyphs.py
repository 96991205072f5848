"""Characters that no installed font can print."""

import unicodedata
from collections.abc import Mapping
from itertools import chain

import structlog

from pipeline.contracts.merge import paragraphs
from pipeline.documents.characters.fonts import unprintable

# Limits the list for a script without any font.
MAX_GLYPHS = 100

log = structlog.get_logger(__name__)


def missing_glyphs(content: str, margins: Mapping[str, str | None], **about: object) -> list[dict[str, str]]:
    """[{character, name, where}], logged with `about`; `where` is `paragraph 3` or a margin's name."""
    found: dict[str, str] = {}
    numbered = paragraphs(content) if unprintable(content) else ()
    for where, text in chain(((f"paragraph {number}", text) for number, text in numbered), margins.items()):
        for char in sorted(unprintable(text or "")):
            found.setdefault(char, where)
    glyphs = [
        {"character": char, "name": unicodedata.name(char, f"U+{ord(char):04X}"), "where": where}
        for char, where in list(found.items())[:MAX_GLYPHS]
    ]
    if glyphs:
        log.warning("missing_glyphs", characters=[f"U+{ord(glyph['character']):04X}" for glyph in glyphs], **about)
    return glyphs
