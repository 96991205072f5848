"""The benchmark works; what it measures is for people, not for a test."""

import subprocess
import sys
from pathlib import Path

from bench.measure import ENDPOINTS

ROOT = Path(__file__).resolve().parents[2]


def test_the_benchmark_prints_application_floor_and_where_the_rest_goes():
    command = [sys.executable, "-m", "bench", "--rounds", "1", "--seconds", "0.1"]
    run = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=120, check=False)
    assert run.returncode == 0, run.stderr
    for words in (*ENDPOINTS.values(), "application of floor", "transaction, query layer, service"):
        assert words in run.stdout
