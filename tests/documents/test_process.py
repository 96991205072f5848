"""Documents are rendered in a separate process within limits; it may be killed, and the service continues."""

import contextlib
import io
import multiprocessing
import os
import random
import signal
import time
from concurrent.futures import ThreadPoolExecutor

import pytest
from PIL import Image

from pipeline import documents
from pipeline.documents import TooComplex, Unavailable
from pipeline.documents.pdf import render as render_pdf
from pipeline.documents.processes import client, pool
from pipeline.documents.word import render as render_docx
from tests.documents.support import document, licence, pdf_text
from tests.waiting import SECONDS, wait_until

SMALL = document("<p>a small contract</p>")
# Takes a minute or two, and a gigabyte or two, if it is let.
LARGE = document("<table>" + "<tr><td>cell</td><td>cell</td></tr>" * 15_000 + "</table>")


def still_answers():
    """Whether the next document is rendered."""
    return "a small contract" in pdf_text(documents.render("pdf", SMALL))


def renderer():
    """The process id of the renderer."""
    return pool._pool.renderer.process.pid


def children_of(pid):
    """The processes that render for a renderer; none when it is gone."""
    try:
        with open(f"/proc/{pid}/task/{pid}/children") as file:
            return [int(child) for child in file.read().split()]
    except (FileNotFoundError, ProcessLookupError):
        return []


@pytest.mark.parametrize(("kind", "here"), [("pdf", render_pdf), ("docx", render_docx)])
def test_a_file_is_the_same_each_time_and_in_each_process(kind, here):
    assert documents.render(kind, licence()) == here(licence())


HOSTILE = {
    "nested spans": ("<span>" * 10_000, "nested too deeply"),
    "many rows": ("<table>" + "<tr><td>x</td></tr>" * 26_000 + "</table>", "too many elements"),
    "lists in lists": ("<ol><li>" * 12, "Lists are nested"),
    "a huge percentage": ('<table><tr><td style="width: 999999999%">x</td></tr></table>', "A width of"),
    "a row of 10,000 columns": ("<table><tr>" + "<td>x</td>" * 10_000 + "</tr></table>", "columns"),
    "cells that push others out": ("<table>" + '<tr><td rowspan="999">x</td></tr>' * 2_000 + "</table>", "columns"),
    "a cell over 999 columns": ('<table><tr><td colspan="999">x</td></tr></table>', "columns"),
    "five million letters": ("x" * 5_000_000, "too long"),
}


# Each kind refuses them alike.
@pytest.mark.parametrize(("kind", "name"), [*(("pdf", name) for name in HOSTILE), ("docx", "lists in lists")])
def test_a_hostile_document_is_refused_by_name(kind, name):
    """Soon: one that comes to its limits is refused for its time."""
    content, reason = HOSTILE[name]
    with pytest.raises(TooComplex, match=reason):
        documents.render(kind, document(content))
    assert still_answers()


def test_a_document_has_its_seconds(limits):
    limits(seconds=2)
    assert still_answers()
    by_processor, by_clock = "more than 2 seconds", "not rendered within 4 seconds"
    with pytest.raises((TooComplex, Unavailable), match=f"{by_processor}|{by_clock}"):
        documents.render("pdf", LARGE)
    assert still_answers()


def seconds_of(pid):
    """The bound of a process's time, which comes after that of the clock; "unlimited" as long as it has none."""
    with open(f"/proc/{pid}/limits") as told:
        return next(line.split()[3] for line in told if line.startswith("Max cpu time"))


@pytest.mark.long
def test_a_machine_without_time_is_not_the_document_s_fault(limits):
    limits(seconds=3)  # which it must not have used up before it is stopped, on a machine that is busy with other tests
    assert still_answers()
    with ThreadPoolExecutor() as threads:
        asked = threads.submit(documents.render, "pdf", LARGE)
        (busy,) = wait_until(lambda: children_of(renderer()))
        wait_until(lambda: seconds_of(busy) == "3")
        os.kill(busy, signal.SIGSTOP)
        time.sleep(pool._pool.limits.patience)
        os.kill(busy, signal.SIGCONT)
        with pytest.raises(Unavailable, match="too busy: the document was not rendered within 6 seconds"):
            asked.result()


@pytest.mark.parametrize(
    ("limit", "html", "told"),
    [
        ({"pages": 1}, '<div class="page-break"></div>', "more than 1 pages"),
        ({"output_mib": 0}, "<p>x</p>", "larger than"),
        ({"memory_mib": 20}, "<table>" + "<tr><td>cell</td></tr>" * 600 + "</table>", "more than 20 MiB of memory"),
    ],
    ids=["pages", "size", "memory"],
)
def test_a_document_has_its_pages_its_size_and_its_memory(limits, capfd, limit, html, told):
    limits(**limit)
    with pytest.raises(TooComplex, match=told):
        documents.render("pdf", document(f"<p>one</p>{html}<p>two</p>"))
    assert capfd.readouterr().err == "", "the log is not filled with what could not be finalized"


def test_two_documents_at_once_do_not_mix():
    def printed(number):
        return pdf_text(documents.render("pdf", document(f"<p>contract {number}</p>"))).strip()

    with ThreadPoolExecutor() as threads:
        assert list(threads.map(printed, range(6))) == [f"contract {number}" for number in range(6)]


@pytest.mark.long
def test_a_document_waits_for_a_reader_who_is_late(limits, monkeypatch):
    limits()
    assert still_answers()
    # Of all that the sockets between the two can hold it fills the last bytes.
    noise = Image.frombytes("RGB", (606, 113), random.Random(1).randbytes(606 * 113 * 3))
    noise.save(file := io.BytesIO(), "PNG")
    receive = client._receive
    monkeypatch.setattr(client, "_receive", lambda *arguments: time.sleep(0.5) or receive(*arguments))
    assert len(documents.render("docx", SMALL._replace(logo=file.getvalue()))) > 200_000


def test_when_no_process_is_to_be_had_documents_are_unavailable(limits, monkeypatch):
    limits()
    pool.stop()
    monkeypatch.setattr(client.sys, "executable", "/nowhere/python")
    with pytest.raises(Unavailable):
        documents.render("pdf", SMALL)


def test_a_render_that_waits_too_long_is_refused(limits):
    limits(processes=1, queue_seconds=0)
    with pool._pool.turns, pytest.raises(Unavailable, match="Too many"):
        documents.render("pdf", SMALL)


@pytest.mark.parametrize(
    ("number", "seconds"), [(signal.SIGKILL, 20), pytest.param(signal.SIGSTOP, 3, marks=pytest.mark.long)]
)
def test_a_renderer_that_ends_or_hangs_is_replaced_and_the_next_one_ends_with_its_service(
    limits, monkeypatch, number, seconds
):
    monkeypatch.setattr(client, "GRACE_SECONDS", 0.5)
    limits(seconds=seconds)
    assert still_answers()
    os.kill(renderer(), number)
    assert still_answers()
    last = pool._pool.renderer
    last.control.close()
    assert last.process.wait(SECONDS) == 0


@pytest.mark.long
def test_a_render_that_is_killed_each_time_is_unavailable_and_no_hang(limits):
    limits()
    assert still_answers()
    with ThreadPoolExecutor() as threads:
        asked = threads.submit(documents.render, "pdf", LARGE)
        while not asked.done():
            for pid in children_of(renderer()) if pool._pool.renderer else ():
                with contextlib.suppress(ProcessLookupError):  # it has ended by itself
                    os.kill(pid, signal.SIGKILL)
            time.sleep(0.02)
        with pytest.raises(Unavailable):
            asked.result()
    assert still_answers()


@pytest.mark.long
def test_a_render_dies_with_its_renderer(limits):
    limits(seconds=3)
    assert still_answers()
    failures = TooComplex, Unavailable
    with ThreadPoolExecutor() as threads:
        threads.submit(pytest.raises, failures, documents.render, "pdf", LARGE)
        busy = wait_until(lambda: children_of(renderer()))
        os.kill(renderer(), signal.SIGKILL)
        wait_until(lambda: not any(os.path.exists(f"/proc/{pid}") for pid in busy))


def answer_by_another(than):
    """In a forked process: answer by a renderer that is not the parent's."""
    assert pool._pool.renderer is None
    assert still_answers()
    assert renderer() != than
    pool.stop()


@pytest.mark.long
def test_a_forked_process_has_a_renderer_of_its_own(limits):
    limits()
    assert still_answers()
    process = multiprocessing.get_context("fork").Process(target=answer_by_another, args=[renderer()])
    process.start()
    process.join()
    assert process.exitcode == 0
    assert pool._pool.renderer.alive()
    assert still_answers()
