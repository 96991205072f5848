"""The short form of `make fuzz`: every operation with its example and a generated call or two."""

from tests.fuzz.run import run


def test_schemathesis_finds_nothing(tmp_path_factory):
    folder = tmp_path_factory.mktemp("fuzz")
    options = ("--phases", "examples,fuzzing", "--max-examples", "1", "--seed", "1", "--generation-deterministic")
    assert run(folder, *options) == 0
