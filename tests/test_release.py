"""A release: setup.py alone has the version, and CHANGELOG has it with its date."""

import re
import subprocess
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
CHANGELOG = (ROOT / "CHANGELOG.md").read_text()
VERSION = re.search(r'^ *version="(.+)",$', (ROOT / "setup.py").read_text(), re.MULTILINE)[1]


def test_the_changelog_begins_with_the_version_and_its_date():
    heading = re.search(r"^## (?!\[Unreleased\]).*", CHANGELOG, re.MULTILINE)[0]
    begin = 'begin CHANGELOG.md with "## [VERSION] - YYYY-MM-DD" of the version in setup.py'
    assert re.fullmatch(rf"## \[{re.escape(VERSION)}\] - \d{{4}}-\d\d-\d\d", heading), begin


def test_the_version_stands_in_setup_py_alone():
    listed = subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=True).stdout.split()
    ours = [name for name in listed if re.search(r"(\.(py|md|ini|yaml|service)|file)$", name)]
    called = re.compile(rf"pipeline[-:= ]v?{re.escape(VERSION)}\b", re.IGNORECASE)
    assert [name for name in ours if called.search((ROOT / name).read_text())] == []
