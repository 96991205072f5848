"""The benchmark works; what it measures is for people, not for a test."""

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]


@pytest.mark.long
def test_the_benchmark_prints_application_floor_and_where_the_rest_goes():
    command = [sys.executable, "-m", "bench", "--rounds", "1", "--seconds", "0.1"]
    run = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=300, check=False)
    assert run.returncode == 0, run.stderr
    form = "/api/public/interview/{token}"
    for words in ("GET /api/interview-templates", f"GET {form}", f"PATCH {form}", "transaction, query layer, service"):
        assert f"{words}\n  application" in run.stdout or f"  {words}" in run.stdout


@pytest.mark.long
@pytest.mark.timeout(600)
@pytest.mark.parametrize(
    "part", ["lists --size 500 --only companies notes", "lists --size 500 --no-lists", "statements --quick"]
)
def test_each_part_of_the_benchmark_runs_to_its_end(part):
    command = [sys.executable, "-m", *f"bench.{part}".split()]
    run = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=540, check=False)
    assert run.returncode == 0, run.stdout[-2_000:] + run.stderr[-2_000:]
