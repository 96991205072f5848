"""Searches the text of a PDF."""

import re
import unicodedata
from typing import BinaryIO

import pypdf

HYPHENS = re.compile("[\u2010-\u2015\u2212]")


def inspect(file: BinaryIO, words: str) -> str | None:
    """Returns `present`, `absent`, or None without text; raises if unreadable."""
    # A PDF may have spaces anywhere; a further digit makes another number.
    wanted = re.compile(r"\s*".join(map(re.escape, _folded(words))) + r"(?!\d)")
    has_text = False
    for page in pypdf.PdfReader(file).pages:
        text = _folded(page.extract_text())
        if wanted.search(text):
            return "present"
        has_text = has_text or bool(text.strip())
    return "absent" if has_text else None


def _folded(text: str) -> str:
    return HYPHENS.sub("-", unicodedata.normalize("NFKC", text)).casefold()
