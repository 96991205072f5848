"""`python -m experiments.parity [contracts]` compares that number (60); exit status 1 if one differs too much."""

import sys
import tempfile
from pathlib import Path

from experiments.parity.compare import compared

count = int(sys.argv[1]) if len(sys.argv) > 1 else 60
with tempfile.TemporaryDirectory() as folder:
    found = list(compared(range(count), Path(folder)))
wrong = [one for one in found if not one.holds]
print(*wrong, sep="\n")
print(f"{count} contracts, {len(wrong)} of which differ too much or break a standard,")
print(f"{sum(one.pages[0] == one.pages[1] for one in found)} have the same number of pages,")
print(f"{sum(one.columns for one in found)} columns differ by {max(one.widths for one in found):.1%} at most.")
sys.exit(bool(wrong))
