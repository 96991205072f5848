"""The source files of a request, in the order in which it enters them, as `files.txt` records them."""

import ast
import sys
from pathlib import Path

FILE = Path(__file__).with_suffix(".txt")
ROOT = Path(__file__).parents[2]
SOURCES = str(ROOT / "pipeline")


def files_of(act):
    """A line for each file of the product that act() enters: its path and its first sentence."""
    found = {}

    def note(frame, event, _):
        if event == "call" and frame.f_code.co_filename.startswith(SOURCES):
            found.setdefault(Path(frame.f_code.co_filename))

    sys.setprofile(note)
    try:
        act()
    finally:
        sys.setprofile(None)
    return [f"    {path.relative_to(ROOT)}: {first_sentence(path)}\n" for path in found]


def first_sentence(path):
    """The first line of a module's docstring."""
    return (ast.get_docstring(ast.parse(path.read_text())) or "").partition("\n")[0]
