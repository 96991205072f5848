"""Installed packages are the locked ones, with hashes; the locks match setup.py."""

import ast
import importlib.metadata
import re
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).resolve().parents[1]
NAMED = {
    "runtime": ("RUNTIME",),
    "traces": ("RUNTIME", "TRACES"),
    "tests": ("RUNTIME", "TRACES", "DEVELOPMENT", "TESTS"),
}
SAY = "setup.py and the locks differ: run make lock"


def entries(name):
    """[(requirement, how many hashes it has)] of a lock; a package may be there once for each kind of Python."""
    text = (ROOT / "requirements" / f"{name}.lock").read_text()
    found = re.findall(r"^(\w[^\\\n]*)((?:\\\n    --hash=sha256:\S+ ?)*)", text, re.MULTILINE)
    return [(Requirement(line), hashes.count("--hash=")) for line, hashes in found]


def locked(name):
    """{package: version} of what a lock has for this Python."""
    here = [entry for entry, _hashes in entries(name) if entry.marker is None or entry.marker.evaluate()]
    return {canonicalize_name(entry.name): str(entry.specifier).removeprefix("==") for entry in here}


def named(*lists):
    """{package: version} of lists of setup.py."""
    tree = ast.parse((ROOT / "setup.py").read_text())
    lines = [
        element.value
        for node in tree.body
        if isinstance(node, ast.Assign) and getattr(node.targets[0], "id", None) in lists
        for element in node.value.elts
        if isinstance(element, ast.Constant)
    ]
    pins = [Requirement(line) for line in lines]
    return {canonicalize_name(pin.name): str(pin.specifier).removeprefix("==") for pin in pins}


@pytest.mark.parametrize("name", NAMED)
def test_a_lock_has_what_setup_names(name):
    versions, wanted = locked(name), named(*NAMED[name])
    assert len(wanted) > 20
    assert {package: versions.get(package) for package in wanted} == wanted, SAY


@pytest.mark.parametrize("name", [*NAMED, "supply"])
def test_every_package_of_a_lock_has_one_version_and_its_hashes_and_no_place_to_load_from(name):
    assert len(entries(name)) >= len(locked(name)) > 10
    for entry, hashes in entries(name):
        assert re.fullmatch(r"==[\w.]+", str(entry.specifier)), entry
        assert hashes, entry
    assert not re.search(r"://|--(extra-)?index|--find-links|@ ", (ROOT / "requirements" / f"{name}.lock").read_text())


def test_runtime_packages_are_locked_as_tested():
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
            if need.marker is None or need.marker.evaluate({"extra": ""}):
                assert canonicalize_name(need.name) in tests, f"{package} needs {need}: {SAY}"


def test_installed_packages_are_the_locked_ones():
    for package, version in locked("tests").items():
        try:
            assert importlib.metadata.version(package) == version, "run make setup"
        except importlib.metadata.PackageNotFoundError:
            continue
