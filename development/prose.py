"""The limits of the project's prose: `python -m development.prose` counts words and sentences, and fails beyond them.

It reads README and docs/, the docstrings and comments of pipeline/, and the comments of sql/. It skips code, tables and
the targets of links. Clauses as subjects (`What comes …`) make riddles, so their words are counted.
"""

from __future__ import annotations

import ast
import io
import re
import sys
import tokenize
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

LONG = 25
_WORD = re.compile(r"[A-Za-zÀ-ɏ][\w'’-]*")
_CLAUSES = re.compile(r"\b(what|who|whose|which)\b", re.IGNORECASE)
_OPENING = re.compile(r"(What|Who|Whose|That|Of)\b(?![^.]*\?)")
_SENTENCE_END = re.compile(r"(?<=[.!?:])\s+(?=[A-Z`(\[])|\n\s*\n")
_MARKUP = (
    (re.compile(r"^```.*?^```", re.MULTILINE | re.DOTALL), "\n\n"),
    (re.compile(r"^(?: {4}|\t).*$", re.MULTILINE), "\n\n"),
    (re.compile(r"<!--.*?-->", re.DOTALL), ""),
    (re.compile(r"!?\[([^\]]*)\]\([^)]*\)"), r"\1"),
    (re.compile(r"`[^`]*`"), "code"),
    (re.compile(r"^\|.*$", re.MULTILINE), "\n\n"),
    (re.compile(r"^(?:#+|[-*]|\d+\.)\s+", re.MULTILINE), "\n\n"),
)


class Limits(NamedTuple):
    """How much prose there may be: words, riddles in a thousand words, percent of sentences."""

    words: int
    clauses: float = 4
    openings: float = 1
    long: float = 8


# The words of the guides in all, and of docstrings and comments for a thousand lines of code.
DOCS, DOCSTRINGS, COMMENTS = 25_000, 575, 285


def measured(texts: Iterable[str]) -> Limits:
    """The figures of some plain texts."""
    sentences = [one.strip() for text in texts for one in _SENTENCE_END.split(text) if _WORD.search(one)]
    words = sum(len(_WORD.findall(one)) for one in sentences)
    clauses = sum(len(_CLAUSES.findall(one)) for one in sentences)
    openings = sum(bool(_OPENING.match(one)) for one in sentences)
    long = sum(len(_WORD.findall(one)) > LONG for one in sentences)
    count = len(sentences) or 1
    return Limits(words, 1000 * clauses / (words or 1), 100 * openings / count, 100 * long / count)


def plain(markdown: str) -> str:
    """Markdown without code, tables and targets."""
    for pattern, instead in _MARKUP:
        markdown = pattern.sub(instead, markdown)
    return markdown


def docstrings(file: Path) -> Iterator[str]:
    """The docstrings of a Python file, code in them left out."""
    for node in ast.walk(ast.parse(file.read_text())):
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
            yield plain(ast.get_docstring(node) or "")


def comments(file: Path) -> Iterator[str]:
    """The comments of a Python or SQL file, lines that follow each other as one text."""
    if file.suffix == ".sql":
        lines = [(number, line[2:]) for number, line in _sql_comments(file)]
    else:
        tokens = tokenize.generate_tokens(io.StringIO(file.read_text()).readline)
        lines = [(token.start[0], token.string.lstrip("#")) for token in tokens if token.type == tokenize.COMMENT]
    text, last = "", 0
    for number, line in lines:
        text = f"{text} {line.strip()}" if number == last + 1 else f"{text}\n\n{line.strip()}"
        last = number
    yield plain(text)


def _sql_comments(file: Path) -> Iterator[tuple[int, str]]:
    for number, line in enumerate(file.read_text().split("\n"), 1):
        stripped = line.strip()
        if stripped.startswith("--:doc "):
            yield number, stripped.removeprefix("--:doc")
        elif stripped.startswith("-- "):
            yield number, stripped


def sources() -> dict[str, list[str]]:
    """{kind: texts} of the project."""
    python, sql = sorted(Path("pipeline").rglob("*.py")), sorted(Path("sql").rglob("*.sql"))
    pages = [Path("README.md"), *sorted(Path("docs").rglob("*.md"))]
    return {
        "docs": [plain(page.read_text()) for page in pages],
        "docstrings": [text for file in python for text in docstrings(file)],
        "comments": [text for file in (*python, *sql) for text in comments(file)],
    }


def limits() -> dict[str, Limits]:
    """{kind: its limits}; those of docstrings and comments grow with the code."""
    python, sql = (
        sum(len(file.read_text().splitlines()) for file in Path(folder).rglob(f"*.{suffix}"))
        for folder, suffix in (("pipeline", "py"), ("sql", "sql"))
    )
    return {
        "docs": Limits(DOCS),
        "docstrings": Limits(DOCSTRINGS * python // 1000),
        "comments": Limits(COMMENTS * (python + sql) // 1000),
    }


def main() -> int:
    """Print the figures beside their limits; 1 when one is exceeded."""
    failed = False
    print(f"{'':11} {'words':>14} {'what, who of 1,000':>20} {'% begin with one':>18} {'% above 25 words':>18}")
    allowed = limits()
    for kind, texts in sources().items():
        found = measured(texts)
        cells = [f"{value:,.1f} / {limit:,}" for value, limit in zip(found, allowed[kind], strict=True)]
        print(f"{kind:11} {cells[0]:>14} {cells[1]:>20} {cells[2]:>18} {cells[3]:>18}")
        failed |= any(value > limit for value, limit in zip(found, allowed[kind], strict=True))
    return int(failed)


if __name__ == "__main__":
    sys.exit(main())
