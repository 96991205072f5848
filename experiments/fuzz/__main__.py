"""`python -m experiments.fuzz`: the long form; what it sends and finds is told by Schemathesis.

Options go on to `schemathesis run`, as in `python -m experiments.fuzz --max-examples 10 --include-tag Leads`.
"""

import shutil
import sys
import tempfile
from pathlib import Path

from experiments.fuzz.run import run

# Of each operation in the phase that sends most; with the others about 20,000 calls.
EXAMPLES = 80


def main():
    """The exit status of Schemathesis; the logs stay when it has found something."""
    # Not below the checkout: sockets have short names.
    folder = Path(tempfile.mkdtemp(prefix="pipeline-fuzz-"))
    print(f"logs in {folder}", flush=True)
    status = run(folder, "--max-examples", str(EXAMPLES), "--continue-on-failure", *sys.argv[1:])
    if not status:
        shutil.rmtree(folder)
    return status


if __name__ == "__main__":
    sys.exit(main())
