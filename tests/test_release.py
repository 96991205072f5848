"""A release: setup.py alone has the version, and CHANGELOG has it with its date."""

import re
import subprocess
from itertools import pairwise
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
CHANGELOG = (ROOT / "CHANGELOG.md").read_text()
RELEASES = re.findall(r"^## \[(\d+\.\d+\.\d+)\] - (\d{4}-\d\d-\d\d)$", CHANGELOG, re.MULTILINE)
VERSION = re.search(r'^ *version="(.+)",$', (ROOT / "setup.py").read_text(), re.MULTILINE)[1]


def test_the_changelog_begins_with_the_version_and_its_date():
    heading = re.search(r"^## .*", CHANGELOG, re.MULTILINE)[0]
    version, day = RELEASES[0]
    assert heading == f"## [{version}] - {day}"
    assert version == VERSION, 'begin CHANGELOG.md with "## [VERSION] - YYYY-MM-DD" of the version in setup.py'


def test_every_release_of_the_changelog_has_a_later_date_and_a_higher_version():
    ordered = [(tuple(map(int, version.split("."))), day) for version, day in RELEASES]
    for newer, older in pairwise(ordered):
        assert newer[0] > older[0]
        assert newer[1] >= older[1]


def test_the_version_stands_in_setup_py_alone():
    listed = subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=True).stdout.split()
    ours = [name for name in listed if re.search(r"(\.(py|md|ini|yaml|service)|file)$", name)]
    called = re.compile(rf"pipeline[-:= ]v?{re.escape(VERSION)}\b", re.IGNORECASE)
    assert [name for name in ours if called.search((ROOT / name).read_text())] == []
