import os
import re
import signal
import subprocess
from pathlib import Path

import pytest

from development.ports import free_port
from tests.signing.envelopes import changed, pdfsig, status_of
from tests.waiting import SECONDS, is_listening, started, wait_until

ROOT = Path(__file__).resolve().parents[2]
# curl asks again for a document that is still being made.
RETRIED = "curl: (22) The requested URL returned error: 429"
README = (ROOT / "README.md").read_text()


def story():
    text = README.split("<!-- story:")[1].split("<!-- end of story -->")[0]
    return "\n".join(re.findall("```sh\n(.*?)```", text, re.S)), re.findall("```text\n(.*?)```", text, re.S)


def git(*arguments):
    done = subprocess.run(["git", "-C", ROOT, *arguments], capture_output=True, text=True, check=False)
    return done.stdout.split()


@pytest.fixture
def port():
    return free_port()


@pytest.fixture
def checkout(tmp_path):
    """A folder with the files of this checkout and without data."""
    for name in (*git("ls-tree", "--name-only", "HEAD"), ".venv"):
        (tmp_path / name).symlink_to(ROOT / name)
    return tmp_path


@pytest.fixture
def service(port, checkout):
    """The service on an empty data folder, started by the README's own line."""
    (line,) = re.findall("```sh\n(make serve .*)\n```", README)
    environ = {key: value for key, value in os.environ.items() if not key.startswith("DATABASE_")} | {"PORT": str(port)}
    log = checkout / "serve.log"
    options = {"cwd": checkout, "env": environ, "stdout": subprocess.DEVNULL, "start_new_session": True}
    with started(["bash", "-c", line], **options) as process:
        wait_until(lambda: log.exists() and f"http://127.0.0.1:{port}" in log.read_text(), lambda: log.read_text())
        yield process
        # As Ctrl-C does.
        os.killpg(process.pid, signal.SIGINT)
        process.wait(SECONDS)
        wait_until(lambda: not is_listening(port))


def test_the_story_of_the_readme_runs_as_it_stands_and_again(service, port, checkout):
    commands, shown = story()
    script = "set -euo pipefail\n" + commands.replace("127.0.0.1:6543", f"127.0.0.1:{port}")
    options = {"capture_output": True, "text": True, "timeout": 3 * SECONDS, "check": False}
    for _ in ("first", "again"):
        result = subprocess.run(["bash", "-c", script], cwd=checkout, **options)
        assert result.returncode == 0, result.stderr
        assert set(result.stderr.splitlines()) <= {RETRIED}
    made = [path.name + "/" * path.is_dir() for path in checkout.iterdir() if not path.is_symlink()]
    assert sorted(git("check-ignore", *made)) == sorted(made)
    for output in shown:
        assert output in result.stdout
    assert (checkout / "agreement.pdf").read_bytes().startswith(b"%PDF-")
    assert (checkout / "agreement.docx").read_bytes().startswith(b"PK")
    signed = (checkout / "signed.pdf").read_bytes()
    for pdf, valid in ((signed, True), (changed(signed), False)):
        assert ("Signature is Valid" in pdfsig(pdf, checkout)) == valid
        assert status_of(pdf).bottom_line == valid
