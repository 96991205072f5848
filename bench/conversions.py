"""PDFs of Word files: `python -m bench.conversions [--quick]`.

A licence of twenty pages, filled and converted as in the service, beside LibreOffice alone in the same environment,
with a profile that is there already. They alternate, so other work on the machine slows both. Then 100 documents by two
threads, beside one LibreOffice for all of them.
"""

import argparse
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from base64 import b64encode
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path

import psutil

from bench.documents import seconds
from pipeline import documents
from pipeline.contracts import merge
from pipeline.contracts.merge.catalogue import SAMPLES
from pipeline.documents import Document
from pipeline.documents.authored.package import Package
from pipeline.documents.authored.reading import read
from pipeline.documents.processes import converter

FILE = Path(__file__).resolve().parents[1] / "tests/documents/authored/licence.docx"
REPEATS, QUICK_REPEATS = 7, 3
DOCUMENTS, QUICK_DOCUMENTS, AT_ONCE = 100, 10, 2
LOOK_SECONDS = 0.1


def contract():
    """The Document of the licence."""
    file = FILE.read_bytes()
    _wrong, content = read(Package(file))
    merged = merge.resolve(merge.sanitize(content), {}, SAMPLES).content
    return Document("Licence", "en", merged, files=(b64encode(file).decode(),))


def alone(folder, *files):
    """Convert files by one LibreOffice alone."""
    command = [converter.PROGRAM, f"-env:UserInstallation=file://{folder}/profile", "--headless", "--convert-to"]
    command += [f"pdf:writer_pdf_Export:{converter.OPTIONS}", "--outdir", str(folder), *map(str, files)]
    subprocess.run(command, check=True, capture_output=True, env=converter._environment(folder))


@contextmanager
def peak():
    """A list with the highest memory in MiB of all LibreOffice processes below this one, as shares of what they map."""
    found, ended = [0.0], threading.Event()

    def look():
        while not ended.wait(LOOK_SECONDS):
            found[0] = max(found[0], sum(map(proportional, psutil.Process().children(recursive=True))))

    thread = threading.Thread(target=look)
    thread.start()
    yield found
    ended.set()
    thread.join()


def proportional(process):
    """The memory of a LibreOffice process in MiB."""
    try:
        return process.memory_full_info().pss / 2**20 if "office" in process.name() else 0.0
    except psutil.Error:
        return 0.0


def report(repeats, number):
    """Measure and print."""
    document = contract()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        files = [folder / f"{place}.docx" for place in range(number)]
        files[0].write_bytes(documents.render("docx", document))
        for file in files[1:]:
            shutil.copy(files[0], file)
        alone(folder, files[0])  # makes the profile
        compare("one", lambda: documents.render("pdf", document), lambda: alone(folder, files[0]), repeats)
        with ThreadPoolExecutor(AT_ONCE) as threads:

            def many():
                list(threads.map(lambda _file: documents.render("pdf", document), files))

            compare(str(number), many, lambda: alone(folder, *files), 1)


def compare(name, ours, others, repeats):
    """Print the times and memory of two works, and their ratio by processor time."""
    measured = [(*taken(ours), *taken(others)) for _ in range(repeats)]
    wall, cpu, memory, *alone_wall_cpu, memory_alone = (statistics.median(one) for one in zip(*measured, strict=True))
    print(
        f"{name:>4} by the service: {wall:.2f} s, {cpu:.2f} s of CPU, {memory:.0f} MiB; by LibreOffice alone: "
        f"{alone_wall_cpu[0]:.2f} s, {alone_wall_cpu[1]:.2f} s of CPU, {memory_alone:.0f} MiB; "
        f"ratio {cpu / alone_wall_cpu[1]:.2f}",
        flush=True,
    )


def taken(work):
    """(seconds, processor seconds of LibreOffice, its MiB) of a work."""
    begun = os.times()
    with peak() as highest:
        spent = seconds(work)
    ended = os.times()
    used = ended.children_user + ended.children_system - begun.children_user - begun.children_system
    return spent, used, highest[0]


def main():
    """Measure and print; exit status 1 after a failed measurement."""
    parser = argparse.ArgumentParser(prog="python -m bench.conversions", description=__doc__.partition("\n")[0])
    parser.add_argument("--quick", action="store_true", help=f"{QUICK_DOCUMENTS} documents, fewer repeats")
    given = parser.parse_args()
    started = time.monotonic()
    try:
        report(*((QUICK_REPEATS, QUICK_DOCUMENTS) if given.quick else (REPEATS, DOCUMENTS)))
    except (subprocess.CalledProcessError, documents.TooComplex, documents.Unavailable) as error:
        print(f"bench: {error}", file=sys.stderr)
        return 1
    print(f"{time.monotonic() - started:.0f} s in all.")
    return 0


if __name__ == "__main__":
    sys.exit(main())
