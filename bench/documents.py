"""Rendering of contracts: `python -m bench.documents [--quick]`.

Contracts of about 2, 10 and 50 pages, rendered as in the service (another process, its limits, the response over a
socket), beside WeasyPrint alone, warm and in this process, on the same HTML with the same options. They alternate, so
other work on the machine slows both. Then a contract of 10 pages, signed and sealed and not; and 200 documents in a row
with the renderer's memory.
"""

import argparse
import io
import json
import os
import statistics
import sys
import tempfile
import time
from datetime import UTC, datetime
from pathlib import Path
from typing import NamedTuple

import pypdf
import weasyprint

from pipeline import documents
from pipeline.contracts import merge
from pipeline.contracts.merge.catalogue import SAMPLES
from pipeline.documents import Document, pdf, word
from pipeline.documents.processes import pool
from pipeline.process.settings import load
from pipeline.signing.envelope import Envelope, Signature, SignatureEvent
from pipeline.signing.sealing import certificates, signed_document
from pipeline.signing.sealing.pades import sealed

DATA = Path(__file__).resolve().parents[1] / "development" / "data"
PAGES = {2: 6, 10: 43, 50: 226}  # pages: clauses that fill them
REPEATS, QUICK_REPEATS = 7, 3
RENDERS, QUICK_RENDERS = 200, 40
RATIO, WORD_SECONDS = 1.15, 0.3
CLAUSE = """<li><h2>Clause {number}</h2><ol>
  <li>The <span class="definition">Licensee</span> shall use the Software for its own business, on the platforms that
    Schedule {number} names, and shall not let others use it unless this agreement <em>expressly</em> allows it.</li>
  <li>In particular it shall not:<ol><li>copy the Software beyond what the agreed use requires;</li>
    <li>remove notices of ownership; or</li><li>publish results of performance tests without consent.</li></ol></li>
</ol></li>"""
TABLE = """<table><caption>Prices</caption><thead><tr><th>Item</th><th class="money">Quantity</th>
  <th class="money">Net</th></tr></thead><tbody>{rows}</tbody></table>"""
LINE = '<tr><td>Item {number}</td><td class="money">25</td><td class="money">€40,500.00</td></tr>'


class Row(NamedTuple):
    """A line of the report: pages, seconds and MiB of the service and of WeasyPrint alone."""

    pages: int
    ours: float
    alone: float
    word: float
    memory: float
    memory_alone: float
    memory_word: float


def contract(pages):
    """A Document of about this number of pages."""
    clauses = "".join(CLAUSE.format(number=number) for number in range(1, PAGES[pages] + 1))
    lines = "".join(LINE.format(number=number) for number in range(1, pages * 2 + 1))
    content = f'<h1 class="title">Agreement</h1><ol class="clauses">{clauses}</ol>{TABLE.format(rows=lines)}'
    settings = json.loads((DATA / "licence_agreement.json").read_text())
    margins = merge.resolve("", {name: settings[name] for name in documents.MARGINS}, SAMPLES).margins
    return Document("Agreement", "en", content, **margins)


def alone(html, css):
    """The PDF of our HTML and CSS by WeasyPrint alone."""
    fonts, counter_style, sheet = pdf._shared()
    further = weasyprint.CSS(string=css, font_config=fonts)
    return weasyprint.HTML(string=html).write_pdf(
        font_config=fonts, counter_style=counter_style.copy(), stylesheets=[sheet, further], **pdf.OPTIONS
    )


def seconds(work):
    """The duration of a call."""
    started = time.perf_counter()
    work()
    return time.perf_counter() - started


def peak(work):
    """The peak of resident memory in MiB of a forked process with this call; raises RuntimeError if it fails."""
    pid = os.fork()
    if pid == 0:
        status = 1
        try:
            work()
            status = 0
        finally:
            os._exit(status)
    _pid, status, usage = os.wait4(pid, 0)
    if status:
        raise RuntimeError("a measured process failed")
    return usage.ru_maxrss / 1024


def measure(pages, repeats):
    """The Row of a contract."""
    document = contract(pages)
    html, css = pdf.page(document), pdf.margin_boxes(document, None)
    works = (
        lambda: documents.render("pdf", document),
        lambda: alone(html, css),
        lambda: documents.render("docx", document),
    )
    for work in works:
        work()
    times = [[seconds(work) for work in works] for _ in range(repeats)]
    ours, others, docx = (statistics.median(column) for column in zip(*times, strict=True))
    memory = [peak(lambda: pdf.render(document)), peak(works[1]), peak(lambda: word.render(document))]
    counted = len(pypdf.PdfReader(io.BytesIO(documents.render("pdf", document))).pages)
    return Row(counted, ours, others, docx, *memory)


def sealing(repeats):
    """((seconds, processor seconds) to render 10 pages, the same to sign and seal them).

    Processor time is of this process alone, so it renders here.
    """
    document = contract(10)
    with tempfile.TemporaryDirectory() as folder:
        store, _public = certificates.made_in(Path(folder))
        environ = {"DATABASE_URL": "postgresql://localhost/none", "JWT_SECRET": "x" * 32}
        settings = load({}, {**environ, "SIGNING_CERTIFICATE": str(store)})
        identity = certificates.read(settings, 1)
    signed = signed_document(
        envelope(), document.content, document._asdict(), certificates.described(identity, settings)
    )
    whole = [
        lambda: documents.render("pdf", document),
        lambda: sealed(documents.render("pdf", signed), identity, {}, ""),
    ]
    here = [lambda: pdf.render(document), lambda: sealed(pdf.render(signed), identity, {}, "")]
    for work in whole + here:
        work()
    times = [[seconds(work) for work in whole] + [processor(work) for work in here] for _ in range(repeats)]
    return [statistics.median(column) for column in zip(*times, strict=True)]


def envelope():
    """A request signed by one person of each party."""
    now = datetime.now(UTC)
    people = {"licensee": "Ada Brandt", "licensor": "Sam Rivera"}
    signatures = [
        Signature(
            name=name,
            title=None,
            email=f"{party}@acme.example",
            party=party,
            kind="typed",
            text=name,
            drawing=None,
            viewed_at=now,
            signed_at=now,
            address="203.0.113.7",
            user_agent="Mozilla/5.0",
            consent="I agree to sign this contract electronically.",
            language="en",
            is_printed=True,
        )
        for party, name in people.items()
    ]
    events = [
        SignatureEvent(now, event, name, None) for name in people.values() for event in ("sent", "viewed", "signed")
    ]
    return Envelope(
        organization_id=1,
        request_id=1,
        contract_number="C-2026-0001",
        contract_name="Agreement",
        organization_name="Acme",
        organization_slug="acme",
        legal_name=None,
        revision=1,
        document_sha256="ab" * 32,
        sent_at=now,
        completed_at=now,
        time_zone="Europe/Berlin",
        region="DE",
        language="en",
        contract_language="en",
        direction="ltr",
        signatures=tuple(signatures),
        events=tuple(events),
    )


def processor(work):
    """The processor time of a call in this process."""
    started = time.process_time()
    work()
    return time.process_time() - started


def resident():
    """The renderer's resident memory in MiB."""
    status = Path(f"/proc/{pool._pool.renderer.process.pid}/status").read_text()
    return int(status.partition("VmRSS:")[2].split()[0]) / 1024


def many(renders):
    """[(documents rendered, the renderer's MiB)] over many documents of two pages."""
    document, found = contract(2), []
    for number in range(renders + 1):
        if number % (renders // 4) == 0:
            found.append((number, resident()))
        documents.render(("pdf", "docx")[number % 2], document)
    return found


def report(repeats, renders):
    """Measure and print."""
    print(f"{'pages':>6}{'PDF s':>9}{'alone s':>9}{'ratio':>7}{'aim':>6}{'DOCX s':>9}{'MiB':>7}{'alone':>7}{'DOCX':>7}")
    for pages in PAGES:
        row = measure(pages, repeats)
        ratio = row.ours / row.alone
        missed = "  missed" if ratio > RATIO or (pages == 10 and row.word > WORD_SECONDS) else ""
        print(
            f"{row.pages:6}{row.ours:9.3f}{row.alone:9.3f}{ratio:7.2f}{RATIO:6}{row.word:9.3f}{row.memory:7.0f}"
            f"{row.memory_alone:7.0f}{row.memory_word:7.0f}{missed}",
            flush=True,
        )
    plain, signed, plain_cpu, signed_cpu = sealing(repeats)
    print(f"10 pages rendered: {plain:.3f} s, {plain_cpu:.3f} s of CPU", end="; ")
    print(f"signed and sealed: {signed:.3f} s, {signed_cpu:.3f} s of CPU")
    held = many(renders)
    print("the renderer holds " + ", ".join(f"{memory:.1f} MiB after {number}" for number, memory in held))


def main():
    """Measure and print; exit status 1 after a failed measurement."""
    parser = argparse.ArgumentParser(prog="python -m bench.documents", description=__doc__.partition("\n")[0])
    parser.add_argument("--quick", action="store_true", help=f"{QUICK_RENDERS} documents in a row, fewer repeats")
    given = parser.parse_args()
    try:
        report(*((QUICK_REPEATS, QUICK_RENDERS) if given.quick else (REPEATS, RENDERS)))
    except (RuntimeError, documents.TooComplex, documents.Unavailable) as error:
        print(f"bench: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
