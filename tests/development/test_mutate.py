import re
import subprocess
import sys

import pytest

from experiments.mutate.__main__ import SAMPLE
from experiments.mutate.mutations import mutations


def test_the_schema_s_mutations_include_the_sample(owner):
    names = {mutation.name for mutation in mutations(owner)}
    assert names >= SAMPLE


@pytest.mark.long
def test_each_kind_of_mutation_is_seen_by_a_test_of_behaviour():
    command = [sys.executable, "-m", "experiments.mutate", "--sample"]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=280)
    assert done.returncode == 0, done.stdout + done.stderr
    killed = set(re.findall(r"^killed +(.+?)  database/", done.stdout, re.MULTILINE))
    assert killed == SAMPLE
