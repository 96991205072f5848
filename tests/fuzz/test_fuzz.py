"""The short form of `make fuzz`: every operation with its example and a generated call or two."""

import pytest

from tests.fuzz.run import run


@pytest.mark.long
def test_schemathesis_finds_nothing(tmp_path_factory):
    folder = tmp_path_factory.mktemp("fuzz")
    options = ("--phases", "examples,fuzzing", "--max-examples", "1", "--seed", "1", "--generation-deterministic")
    done = run(folder, *options, capture_output=True, text=True)
    assert done.returncode == 0, told(folder, done)


def told(folder, done):
    """What the service has logged beside its requests, and what Schemathesis has found."""
    logged = [line for line in (folder / "web.log").read_text().splitlines() if '"level":"info"' not in line]
    return "\n".join((*logged[-100:], done.stderr, done.stdout[-20_000:]))
