"""The guides work: a copy of the tree with their steps passes the checks, and has the new column and record."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
GUIDES = ROOT / "docs" / "guides"
COPIED = ("pipeline", "development", "experiments", "sql", "alembic", "tests", "docs", "bench", "clients", ".ci")
PAGES = ("README.md", "CONTRIBUTING.md", "CHANGELOG.md", "Makefile")
BLOCK = re.compile(r"^```(?P<kind>\w+) (?P<path>\S+)\n(?P<text>.*?)^```$", re.MULTILINE | re.DOTALL)
# What followed.py says, and what is checked of every table, statement and route.
TESTS = ("guides/followed.py", "isolation/test_matrix.py", "records/test_manners.py", "http/test_changes.py")
TESTS += ("test_conventions.py", "changes/test_every_change.py", "leads/test_columns.py")
TESTS += tuple(
    f"database/test_{name}.py" for name in ("catalog", "tables", "changes", "isolation", "migrations", "rights")
)
CHOSEN = ("followed", "catalog", "product", "route_has", "the_tables_of", "types_of_the_feed", "every_table")
CHOSEN += (
    "each_column",
    "each_field",
    "every_query",
    "each_statement",
    "one_way",
    "migrations_make",
    "columns_of_its_work",
    "told_to_every_scope",
)
# The most files that a developer writes in a guide; commands generate others.
MOST = {"add-a-column": 6, "add-a-record": 10}
NAMED = re.compile(r"^Add a line about .*?\.(?: |$)", re.MULTILINE)
# What `make lint` checks, SQL of the changed folders alone.
LINT = (
    ("ruff", "format", "--config", ".ci/ruff.toml", "--check", "--quiet", "."),
    ("ruff", "check", "--config", ".ci/ruff.toml", "--no-cache", "."),
    ("sqlfluff", "lint", "--quiet", "--processes", "1", "--config", ".ci/sqlfluff.cfg", "sql/leads"),
    ("sqlfluff", "lint", "--quiet", "--processes", "1", "--config", ".ci/sqlfluff.cfg", "sql/records/products.sql"),
    ("mypy", "--config-file", ".ci/mypy.ini", "pipeline/records/products.py", "pipeline/leads"),
    ("development.prose",),
)


def change(file, text):
    """Change a file as the lines of a diff say: what they find stands in it exactly once."""
    lines = text.splitlines()
    old, new = ("\n".join(line[1:] for line in lines if line[0] in signs) + "\n" for signs in (" -", " +"))
    content = f"\n{file.read_text()}"
    assert content.count(f"\n{old}") == 1, f"{file} has not exactly once:\n{old}"
    file.write_text(content.replace(f"\n{old}", f"\n{new}")[1:])


def follow(folder, kind, path, text):
    """Follow a step of a guide, a block of a language or `diff`, with the file that it writes or changes."""
    file = folder / path
    if kind == "diff":
        change(file, text)
        return
    if file.parent.name == "versions":
        revise(folder, file.stem, text, whole=kind == "python")
        return
    assert not file.exists(), f"a guide writes what there is: {file}"
    file.parent.mkdir(exist_ok=True)
    file.write_text(text)
    if file.parent.name == "schema":
        revise(folder, "Add a table", text.partition("pipeline_owner;\n")[2])


def revise(folder, message, text, whole=False):
    """Make a revision, and write the text into its `migrations.owned`, or in place of it if it is `whole`."""
    run(folder, "-m", "development.revision", message)
    file = max((folder / "alembic" / "versions").glob("[0-9]*.py"))
    head, owned, _ = file.read_text().partition("    migrations.owned(")
    made = f"{head}{text}" if whole else f'{head}{owned}"""\nset local statement_timeout = \'1min\';\n{text}""")\n'
    file.write_text(made)


@pytest.fixture(scope="module")
def followed(tmp_path_factory):
    """A copy of the tree in which all guides were followed."""
    folder = tmp_path_factory.mktemp("followed")
    for name in COPIED:
        shutil.copytree(ROOT / name, folder / name, ignore=shutil.ignore_patterns("__pycache__", "dist"))
    for name in PAGES:
        shutil.copy(ROOT / name, folder / name)
    for guide in sorted(GUIDES.glob("*.md")):
        for step in BLOCK.finditer(guide.read_text()):
            follow(folder, **step.groupdict())
    for program in ("query_stub", "record_schemas"):
        run(folder, "-m", f"development.{program}")
    return folder


def run(folder, *arguments):
    environ = {name: value for name, value in os.environ.items() if not name.startswith("PYTEST")}
    environ |= {"PYTHONPATH": str(folder), "PYTHONDONTWRITEBYTECODE": "1"}
    options = {"cwd": folder, "env": environ, "capture_output": True, "text": True, "timeout": 380, "check": False}
    done = subprocess.run([sys.executable, *arguments], **options)
    assert done.returncode == 0, done.stdout[-4000:] + done.stderr[-4000:]


@pytest.mark.parametrize("guide", MOST)
def test_a_guide_has_few_files_to_write(guide):
    text = (GUIDES / f"{guide}.md").read_text()
    steps = [step.groupdict() for step in BLOCK.finditer(text)]
    written = {step["path"] for step in steps}
    # A new schema file is copied into a revision.
    written |= {f"revision of {step['path']}" for step in steps if step["kind"] == "sql" and "/schema/" in step["path"]}
    written |= set(re.findall(r"`([\w/]+\.md)`", " ".join(NAMED.findall(text))))
    assert {"CHANGELOG.md", *written} == written
    assert len(written) <= MOST[guide], sorted(written)


@pytest.mark.parametrize("command", LINT, ids=lambda command: " ".join(command[::6]))
def test_the_guides_steps_pass_lint(command, followed):
    run(followed, "-m", *command)


def test_the_guides_steps_make_the_column_and_the_record(followed):
    files = [f"tests/{file}" for file in TESTS]
    run(followed, "-m", "pytest", "-c", "tests/pytest.ini", "-q", *files, "-k", " or ".join(CHOSEN))
