"""A release: setup.py alone has the version, and CHANGELOG has it with its date."""

import ast
import datetime
import re
import subprocess
from itertools import pairwise
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
ENTRY = re.compile(r"^## \[(?P<version>\d+\.\d+\.\d+)\] - (?P<day>\d{4}-\d\d-\d\d)$", re.MULTILINE)
SAY = 'begin CHANGELOG.md with "## [VERSION] - YYYY-MM-DD" of the version in setup.py'


def version():
    """The version in setup.py."""
    calls = [node for node in ast.walk(ast.parse((ROOT / "setup.py").read_text())) if isinstance(node, ast.Call)]
    words = {word.arg: word.value for call in calls for word in call.keywords}
    return ast.literal_eval(words["version"])


def test_the_changelog_begins_with_the_version_and_its_date():
    text = (ROOT / "CHANGELOG.md").read_text()
    heading = re.search(r"^## .*", text, re.MULTILINE)[0]
    entry = ENTRY.fullmatch(heading)
    assert entry, SAY
    assert entry["version"] == version(), SAY
    assert datetime.date.fromisoformat(entry["day"])


def test_every_release_of_the_changelog_has_a_later_date_and_a_higher_version():
    found = list(ENTRY.finditer((ROOT / "CHANGELOG.md").read_text()))
    numbers = [tuple(map(int, entry["version"].split("."))) for entry in found]
    assert all(newer > older for newer, older in pairwise(numbers))
    assert all(newer["day"] >= older["day"] for newer, older in pairwise(found))


def test_the_version_stands_in_setup_py_alone():
    listed = subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=True).stdout.split()
    ours = [name for name in listed if re.search(r"(\.(py|md|ini|yaml|service)|file)$", name)]
    called = re.compile(rf"pipeline[-:= ]v?{re.escape(version())}\b", re.IGNORECASE)
    assert [name for name in ours if called.search((ROOT / name).read_text())] == []
