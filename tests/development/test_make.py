"""A start that cannot work is explained."""

import os
import subprocess
from pathlib import Path


def test_an_old_python_is_refused_with_the_way_to_name_another(tmp_path):
    old = tmp_path / "python"
    old.write_text('#!/bin/sh\n[ "$1" = --version ] && echo Python 3.9.2\nexit 1\n')
    old.chmod(0o755)
    environ = {name: value for name, value in os.environ.items() if not name.startswith("MAKE")}
    command = ["make", "-C", Path(__file__).parents[2], "system", f"PYTHON={old}"]
    ran = subprocess.run(command, env=environ, capture_output=True, text=True, check=False)
    assert ran.returncode == 2
    assert f"Python 3.11 or newer is needed; '{old}' is Python 3.9.2." in ran.stderr
