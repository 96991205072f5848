"""Documents are rendered in a separate process within limits; the service continues."""

import io
import os
import random
import signal
import socket
import threading
import time
from concurrent.futures import ThreadPoolExecutor

import pytest
from PIL import Image

from pipeline import documents
from pipeline.documents import TooComplex, Unavailable, client, pool, renderer
from pipeline.documents.document import pack
from pipeline.documents.pdf import render as render_pdf
from pipeline.documents.word import render as render_docx
from tests.documents.rendering import LARGE, SMALL, children_of, raising, still_answers
from tests.documents.support import document, pdf_text, picture
from tests.waiting import wait_until


def answered_by_a_render(document=SMALL, **limits):
    """The kind and the payload that a render answers a document with."""
    request = pack("pdf", document)
    service, render = socket.socketpair()
    with service, render:
        service.sendall(request)
        service.shutdown(socket.SHUT_WR)
        renderer._answer(render, pool.Limits(**limits))
        data = service.recv(65_536)
    return data[:1], data[1:]


@pytest.mark.parametrize(("kind", "here"), [("pdf", render_pdf), ("docx", render_docx)])
def test_the_file_is_the_same_as_without_a_process(kind, here):
    contract = document("<h1>Fees</h1><p>100</p>", header_left="Acme")._replace(logo=picture())
    assert documents.render(kind, contract) == here(contract)


def test_an_unknown_kind_is_a_mistake_of_the_caller():
    with pytest.raises(ValueError, match="No such kind"):
        documents.render("odt", SMALL)


@pytest.mark.parametrize(
    ("tag", "known"), [(b"de-DE", True), (b"en-US", True), (b"zh-CN", False), (b"\xff" * 35, False)]
)
def test_the_renderer_reads_where_words_are_parted_before_it_forks_and_once(tag, known, monkeypatch):
    learned = {}
    monkeypatch.setattr(renderer.pyphen, "hdcache", learned)
    renderer._load_hyphenation(tag)
    rules = list(learned.values())
    renderer._load_hyphenation(tag)
    assert len(rules) == known
    assert list(learned.values()) == rules


HOSTILE = {
    "nested spans": ("<span>" * 10_000, "nested too deeply"),
    "many rows": ("<table>" + "<tr><td>x</td></tr>" * 26_000 + "</table>", "too many elements"),
    "lists in lists": ("<ol><li>" * 12, "Lists are nested"),
    "a width beyond all paper": ('<table style="width: 99999999mm"><tr><td>x</td></tr></table>', "A width of"),
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


def test_a_picture_of_too_many_pixels_is_no_logo():
    with pytest.raises(TooComplex, match="pixels"):
        documents.render("pdf", SMALL._replace(logo=picture(size=(5_000, 4_000))))


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
        (busy,) = wait_until(lambda: children_of(pool._pool.renderer.process.pid))
        wait_until(lambda: seconds_of(busy) == "3")
        os.kill(busy, signal.SIGSTOP)
        time.sleep(pool._pool.limits.patience)
        os.kill(busy, signal.SIGCONT)
        with pytest.raises(Unavailable, match="too busy: the document was not rendered within 6 seconds"):
            asked.result()


@pytest.mark.long
def test_a_renderer_that_hangs_is_replaced(limits, monkeypatch):
    monkeypatch.setattr(client, "GRACE_SECONDS", 0.5)
    limits(seconds=3)
    assert still_answers()
    os.kill(pool._pool.renderer.process.pid, signal.SIGSTOP)
    assert still_answers()


@pytest.mark.long
def test_a_document_has_its_memory(limits, capfd):
    limits(memory_mib=400)
    assert still_answers()
    with pytest.raises(TooComplex, match="more than 400 MiB of memory"):
        documents.render("pdf", LARGE)
    assert still_answers()
    assert capfd.readouterr().err == "", "the log is not filled with what could not be finalized"


@pytest.mark.parametrize("error", [MemoryError(), SystemError("error return without exception set")])
def test_memory_that_ran_out_is_told_by_an_exit_status_since_words_need_some(error, monkeypatch):
    monkeypatch.setattr(renderer, "_answer", raising(error))
    control, theirs = socket.socketpair()
    children = {}
    with control, theirs, socket.socket() as connection, socket.socket() as end:
        socket.send_fds(control, [client.HEAD.pack(b"en", False)], [connection.fileno(), end.fileno()])
        assert renderer._fork_next(theirs, pool.Limits(), children)
    [(pid, end)] = children.items()
    end.close()
    status = os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
    with pytest.raises(TooComplex, match="more than 1024 MiB of memory"):
        client._result_of(b"", status, pool.Limits())


def test_any_other_failure_of_a_render_is_a_bug_with_its_traceback(monkeypatch):
    monkeypatch.setattr(renderer, "_render", raising(KeyError("no such style")))
    answer, payload = answered_by_a_render()
    assert answer == client.CRASHED
    assert b"KeyError: 'no such style'" in payload


def test_a_document_has_its_pages_and_its_size():
    """tests/signing/test_seal_limits.py has both by a process."""
    two = document('<p>one</p><div class="page-break"></div><p>two</p>')
    for refused, told in (
        (answered_by_a_render(two, pages=1), b"more than 1 pages"),
        (answered_by_a_render(output_mib=0), b"larger than"),
    ):
        assert (refused[0], told in refused[1]) == (client.REFUSED, True)


def test_two_documents_at_once_do_not_mix():
    contracts = [document(f"<p>contract {number}</p>") for number in range(6)]
    texts = [None] * len(contracts)

    def work(number):
        texts[number] = pdf_text(documents.render("pdf", contracts[number]))

    threads = [threading.Thread(target=work, args=(number,)) for number in range(len(contracts))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert [text.strip() for text in texts] == [f"contract {number}" for number in range(len(contracts))]


@pytest.mark.long
def test_a_document_does_not_wait_for_one_that_began_later(limits):
    limits(seconds=4)
    assert still_answers()
    renderer = pool._pool.renderer.process.pid
    with ThreadPoolExecutor() as threads:
        first = threads.submit(documents.render, "pdf", document("<p>some text</p>" * 200))
        wait_until(lambda: children_of(renderer))
        later = threads.submit(pytest.raises, (TooComplex, Unavailable), documents.render, "pdf", LARGE)
        assert "some text" in pdf_text(first.result())
        assert not later.done()


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


@pytest.mark.long
def test_memory_stays_flat_over_many_documents(limits):
    limits()
    assert still_answers()
    pid = pool._pool.renderer.process.pid

    def resident():
        with open(f"/proc/{pid}/status") as status:
            return next(int(line.split()[1]) for line in status if line.startswith("VmRSS"))

    before = resident()
    for _number in range(20):
        documents.render("docx", SMALL)
        documents.render("pdf", SMALL)
    assert resident() < before + 2048
