"""The limits of the project's prose: `python -m development.prose` counts words and sentences, and fails beyond them.

It reads README and docs/, other pages, the docstrings and comments of pipeline/ and sql/, those of the tools in
development/ and bench/, and the texts of errors and of the API's description. It skips code, tables and the targets of
links. Clauses as subjects (`What comes …`) are hard to read, so their words are counted. It also checks the length and
width of pages.
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
# Lines of a page without its blocks of code, and columns of a line outside of code, tables and headings.
LINES, COLUMNS = 150, 140
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
    """The figures or limits of texts: words, clause words in a thousand, percent of sentences."""

    words: int
    clauses: float = 4
    openings: float = 1
    long: float = 8


# Words for a thousand lines: of pipeline/ and sql/ together for guides, other pages, texts of the API and comments,
# of pipeline/ for docstrings, of development/ and bench/ for the tools. A change brings the lines that its words need.
DOCS, OTHER, TEXTS, COMMENTS, DOCSTRINGS, TOOLS = 560, 30, 300, 310, 620, 1_100
# Without the changelog, which grows with each release.
OTHER_PAGES = ("CONTRIBUTING.md", "sql/README.md", "clients/python/README.md", "clients/typescript/README.md")
TEXT_FILES = ("validation/errors/codes.py", "validation/codes.py", "api/openapi/fields.py", "api/openapi/words.py")
_COLUMN_COMMENT = re.compile(r"^comment on [^']*? is\s+((?:'(?:[^']|'')*'\s*)+);", re.MULTILINE)
_CODE = re.compile(r"^( *)```.*?^\1```$", re.MULTILINE | re.DOTALL)


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


def guides() -> list[Path]:
    """README and the pages of docs/."""
    return [Path("README.md"), *sorted(Path("docs").rglob("*.md"))]


def api_texts() -> Iterator[str]:
    """Error texts and descriptions of the API, in tables and beside their fields, and comments of the schema."""
    for name in TEXT_FILES:
        for node in ast.walk(ast.parse((Path("pipeline") / name).read_text())):
            if isinstance(node, ast.Constant) and isinstance(node.value, str) and " " in node.value:
                yield plain(node.value)
    for file in sorted(Path("pipeline").rglob("*.py")):
        yield from map(plain, _descriptions(file))
    for file in sorted(Path("sql/schema").glob("*.sql")):
        for comment in _COLUMN_COMMENT.findall(file.read_text()):
            yield plain(re.sub(r"'\s*\n\s*'|^'|'\s*$", "", comment).replace("''", "'"))


def _descriptions(file: Path) -> Iterator[str]:
    """The strings that a Python file gives as `description`: an argument, or a member of a dictionary."""
    for node in ast.walk(ast.parse(file.read_text())):
        given: list[tuple[object, ast.expr]] = []
        if isinstance(node, ast.Call):
            given = [(keyword.arg, keyword.value) for keyword in node.keywords]
        elif isinstance(node, ast.Dict):
            given = [(getattr(key, "value", None), value) for key, value in zip(node.keys, node.values, strict=True)]
        for name, value in given:
            if name == "description" and isinstance(value, ast.Constant) and isinstance(value.value, str):
                yield value.value


def layout() -> Iterator[str]:
    """A sentence for each page that is too long, and for each line that is too wide."""
    for page in (*guides(), *map(Path, OTHER_PAGES)):
        lines = _CODE.sub("", page.read_text()).splitlines()
        if len(lines) > LINES:
            yield f"{page} has {len(lines)} lines without code; a page has at most {LINES}."
        for line in lines:
            if len(line) > COLUMNS and not line.startswith(("|", "#", "    ")):
                yield f"{page} has a line of {len(line)} columns; wrap it at {COLUMNS}: {line[:60]}…"


def sources() -> dict[str, list[str]]:
    """{kind: texts} of the project."""
    python, sql = sorted(Path("pipeline").rglob("*.py")), sorted(Path("sql").rglob("*.sql"))
    tools = sorted((*Path("development").rglob("*.py"), *Path("bench").rglob("*.py")))
    return {
        "docs": [plain(page.read_text()) for page in guides()],
        "other pages": [plain(Path(page).read_text()) for page in OTHER_PAGES],
        "API texts": list(api_texts()),
        "docstrings": [text for file in python for text in docstrings(file)],
        "comments": [text for file in (*python, *sql) for text in comments(file)],
        "tools": [text for file in tools for text in (*docstrings(file), *comments(file))],
    }


def limits() -> dict[str, Limits]:
    """{kind: its limits}; the words grow with the lines of code."""
    python, sql, development, bench = (
        sum(len(file.read_text().splitlines()) for file in Path(folder).rglob(f"*.{suffix}")) / 1000
        for folder, suffix in (("pipeline", "py"), ("sql", "sql"), ("development", "py"), ("bench", "py"))
    )
    return {
        "docs": Limits(int(DOCS * (python + sql))),
        "other pages": Limits(int(OTHER * (python + sql))),
        "API texts": Limits(int(TEXTS * (python + sql))),
        "docstrings": Limits(int(DOCSTRINGS * python)),
        "comments": Limits(int(COMMENTS * (python + sql))),
        "tools": Limits(int(TOOLS * (development + bench))),
    }


def main() -> int:
    """Print figures, limits and faults of the layout; 1 when there is a fault or a limit is exceeded."""
    faults = list(layout())
    failed = bool(faults)
    print(f"{'':11} {'words':>14} {'what, who of 1,000':>20} {'% begin with one':>18} {'% above 25 words':>18}")
    allowed = limits()
    for kind, texts in sources().items():
        found = measured(texts)
        cells = [f"{value:,.1f} / {limit:,}" for value, limit in zip(found, allowed[kind], strict=True)]
        print(f"{kind:11} {cells[0]:>14} {cells[1]:>20} {cells[2]:>18} {cells[3]:>18}")
        failed |= any(value > limit for value, limit in zip(found, allowed[kind], strict=True))
    lines = sum(len(file.read_text().splitlines()) for file in Path("pipeline").rglob("*.py"))
    print(f"pipeline/ has {lines:,} lines of Python.")
    print(*faults, sep="\n", end="\n" if faults else "")
    return int(failed)


if __name__ == "__main__":
    sys.exit(main())
