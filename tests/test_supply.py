"""What is installed is what was locked, with hashes; and the locks are those of setup.py."""

import ast
import importlib.metadata
import re
from pathlib import Path

import pytest
from packaging.markers import Marker
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).resolve().parents[1]
NAMED = {"runtime": ("RUNTIME",), "tests": ("RUNTIME", "DEVELOPMENT", "TESTS")}
SAY = "setup.py and the locks differ: run make lock"


def locked(name):
    """{package: (version, its hashes)} of a lock."""
    text = (ROOT / "requirements" / f"{name}.lock").read_text()
    entries = re.findall(r"^([\w.-]+)==([\w.]+)(.*(?:\\\n    --hash=\S+ ?)+)", text, re.MULTILINE)
    return {canonicalize_name(package): (version, rest.count("--hash=sha256:")) for package, version, rest in entries}


def named(*lists):
    """{package: version} of lists of setup.py."""
    tree = ast.parse((ROOT / "setup.py").read_text())
    lines = [
        element.value for node in tree.body if isinstance(node, ast.Assign) and node.targets[0].id in lists
        for element in node.value.elts if isinstance(element, ast.Constant)
    ]
    pins = [Requirement(line) for line in lines]
    return {canonicalize_name(pin.name): str(pin.specifier).removeprefix("==") for pin in pins}


@pytest.mark.parametrize("name", NAMED)
def test_a_lock_has_what_setup_names(name):
    versions = {package: version for package, (version, _hashes) in locked(name).items()}
    wanted = named(*NAMED[name])
    assert len(wanted) > 20
    assert {package: versions.get(package) for package in wanted} == wanted, SAY


@pytest.mark.parametrize("name", [*NAMED, "supply"])
def test_every_package_of_a_lock_has_a_version_and_hashes(name):
    text = (ROOT / "requirements" / f"{name}.lock").read_text()
    lines = [line for line in text.splitlines() if line and not line.startswith((" ", "#"))]
    assert len(locked(name)) == len(lines) > 0
    assert all(hashes for _version, hashes in locked(name).values())


@pytest.mark.parametrize("name", [*NAMED, "supply"])
def test_a_lock_names_no_place_to_load_from(name):
    assert not re.search(r"://|--(extra-)?index|--find-links|@ ", (ROOT / "requirements" / f"{name}.lock").read_text())


def test_what_runs_is_what_was_tested():
    tests = locked("tests")
    assert {package: found for package, found in locked("runtime").items() if tests.get(package) != found} == {}, SAY


def test_the_lock_is_complete():
    """All that the packages need, on this system, is locked: nothing is resolved when they are installed."""
    tests = locked("tests")
    for package in locked("runtime"):
        try:
            needs = importlib.metadata.requires(package) or []
        except importlib.metadata.PackageNotFoundError:  # of another system or Python
            continue
        for need in map(Requirement, needs):
            if need.marker is None or Marker(str(need.marker)).evaluate({"extra": ""}):
                assert canonicalize_name(need.name) in tests, f"{package} needs {need}: {SAY}"


def test_what_is_installed_is_what_is_locked():
    for package, (version, _hashes) in locked("tests").items():
        try:
            assert importlib.metadata.version(package) == version, "run make setup"
        except importlib.metadata.PackageNotFoundError:
            continue
