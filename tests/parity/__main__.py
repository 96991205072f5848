"""`python -m tests.parity [contracts]` compares that number (60); exit status 1 if one differs too much."""

import sys
import tempfile
from pathlib import Path

from tests.parity.compare import compared


def main(count):
    """Print what was found; the exit status."""
    with tempfile.TemporaryDirectory() as folder:
        found = list(compared(range(count), Path(folder)))
    for one in found:
        if not one.holds:
            print(one)
    paper, word = (sum(one.pages[side] for one in found) for side in (0, 1))
    columns, same = sum(one.columns for one in found), sum(one.same_text for one in found)
    print(f"{count} contracts, {columns} columns: {same} say the same,")
    print(f"{sum(not one.faults for one in found)} hold to the schemas of Open XML and to PDF/UA-1,")
    print(f"columns differ by {max(one.widths for one in found):.1%} at most, {paper} pages in PDF and {word} in Word,")
    print(f"{sum(one.pages[0] == one.pages[1] for one in found)} have the same number of pages.")
    return int(not all(one.holds for one in found))


sys.exit(main(int(sys.argv[1]) if len(sys.argv) > 1 else 60))
