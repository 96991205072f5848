import os
import re
import signal
import subprocess
import sys
from pathlib import Path

import psycopg
import pytest

from development.ports import free_port
from development.postgres import EmbeddedPostgres
from tests.signing.envelopes import changed, pdfsig, status_of
from tests.waiting import SECONDS, started, wait_until

ROOT = Path(__file__).resolve().parents[2]
README = (ROOT / "README.md").read_text()


def story():
    text = README.split("<!-- story:")[1].split("<!-- end of story -->")[0]
    return "\n".join(re.findall("```sh\n(.*?)```", text, re.S)), re.findall("```text\n(.*?)```", text, re.S)


@pytest.fixture
def port():
    return free_port()


@pytest.fixture
def service(port, tmp_path):
    """The service on an empty data folder, started by the command that `make serve` ends with."""
    environ = {key: value for key, value in os.environ.items() if not key.startswith("DATABASE_")}
    command = [sys.executable, "-m", "pipeline", "serve"]
    environ |= {"PORT": str(port), "DATA_DIR": str(tmp_path / "data")}
    log = tmp_path / "serve.log"
    with (
        log.open("w") as output,
        started(command, cwd=ROOT, env=environ, stdout=output, stderr=subprocess.STDOUT) as process,
    ):
        wait_until(lambda: f"http://127.0.0.1:{port}" in log.read_text(), log.read_text)
        # The contract of the story does not wait for those of the demo.
        with psycopg.connect(EmbeddedPostgres(tmp_path / "data" / "postgres").url("postgres", "pipeline")) as database:
            database.execute("update app.outbox set done_at = now() where done_at is null")
        yield process
        process.send_signal(signal.SIGINT)
        process.wait(SECONDS)


def test_the_story_of_the_readme_runs_as_it_stands(service, port, tmp_path):
    commands, shown = story()
    script = "set -euo pipefail\n" + commands.replace("127.0.0.1:6543", f"127.0.0.1:{port}")
    options = {"capture_output": True, "text": True, "timeout": 3 * SECONDS, "check": False}
    result = subprocess.run(["bash", "-c", script], cwd=tmp_path, **options)
    assert result.stderr == ""
    for output in shown:
        assert output in result.stdout
    assert (tmp_path / "agreement.pdf").read_bytes().startswith(b"%PDF-")
    assert (tmp_path / "agreement.docx").read_bytes().startswith(b"PK")
    signed = (tmp_path / "signed.pdf").read_bytes()
    for pdf, valid in ((signed, True), (changed(signed), False)):
        assert ("Signature is Valid" in pdfsig(pdf, tmp_path)) == valid
        assert status_of(pdf).bottom_line == valid
