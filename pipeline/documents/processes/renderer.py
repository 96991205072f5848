"""The renderer process, without threads, forks for each document."""

import contextlib
import ctypes
import gc
import logging
import os
import resource
import selectors
import signal
import socket
import sys
import traceback

import pyphen

from pipeline.documents import pdf, word
from pipeline.documents.authored import filling
from pipeline.documents.document import CLOSING, PDF, REDLINE, Document, TooComplex, unpack
from pipeline.documents.processes.client import CRASHED, DONE, HEAD, NO_MEMORY, REFUSED, STATUS, RenderLimits
from pipeline.process.priority import lower_priority

MIB = 1024 * 1024
OPEN_FILES = 32
_PR_SET_PDEATHSIG = 1
# C code can turn a MemoryError into a SystemError ("error return without exception set").
OUT_OF_MEMORY = (MemoryError, RecursionError, SystemError)
# Has every font and kind of block.
SAMPLE = Document(
    "Sample",
    "en",
    """<h1 class="title">Sample</h1><p>A <b>b</b> <i>c</i> <b><i>d</i></b> <u>e</u><sup>f</sup></p>
    <ol class="clauses"><li><h2>G</h2><ol><li>h<ol><li>i</li></ol></li></ol></li></ol><ul><li>j</li></ul>
    <table><thead><tr><th colspan="2">k</th></tr></thead><tr><td>l</td><td class="money">1.00</td></tr></table>
    <div class="schedule"><h1>m</h1><ol><li>n</li></ol></div>""",
    *("left", "center", "{{page}}/{{pages}}") * 2,
)


def main(arguments: list[str]) -> None:
    """Serves documents; arguments are the socket's number and the limits."""
    fileno, *bounds = map(int, arguments)
    limits = RenderLimits(*bounds)
    logging.getLogger("weasyprint").addHandler(logging.NullHandler())
    lower_priority()
    _use_any_core()
    _warm_up()
    children: dict[int, socket.socket] = {}
    with socket.socket(fileno=fileno) as control, selectors.DefaultSelector() as selector:
        ended = _end_of_children()
        selector.register(control, selectors.EVENT_READ)
        selector.register(ended, selectors.EVENT_READ)
        while True:
            for key, _events in selector.select():
                if key.fileobj is ended:
                    ended.recv(4096)
                    _reap(children)
                elif not _fork_next(control, limits, children):
                    return


def _use_any_core() -> None:
    # The starting thread may be bound to a core (process/cores.py).
    with contextlib.suppress(AttributeError, OSError):
        os.sched_setaffinity(0, os.sched_getaffinity(os.getppid()))


def _fork_next(control: socket.socket, limits: RenderLimits, children: dict[int, socket.socket]) -> bool:
    """Forks for the next document; False after the socket has closed."""
    head, descriptors, _flags, _address = socket.recv_fds(control, HEAD.size, 2)
    if not descriptors:
        return False
    language, signed = HEAD.unpack(head)
    limits = limits.of(signed)
    _load_hyphenation(language)
    connection, end = (socket.socket(fileno=descriptor) for descriptor in descriptors)
    with connection:
        parent = os.getpid()
        try:
            pid = os.fork()
        except OSError:
            end.close()  # no process available: an end without a status
            return True
        if pid == 0:
            status = 1
            try:
                control.close()
                end.close()
                _die_with(parent)
                # Without memory, Python fills the log with finalization errors.
                os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stderr.fileno())
                _limit(limits)
                _answer(connection, limits)
                status = 0
            except OUT_OF_MEMORY:
                status = NO_MEMORY  # a response in words may need memory
            finally:
                os._exit(status)
        children[pid] = end
    return True


def _load_hyphenation(language: bytes) -> None:
    """Loads hyphenation rules once, because the German ones are slow."""
    name = pyphen.language_fallback(language.rstrip(b"\0").decode("ascii", "replace"))
    if name and pyphen.LANGUAGES[name] not in pyphen.hdcache:
        pyphen.Pyphen(lang=name)
        gc.freeze()


def _reap(children: dict[int, socket.socket]) -> None:
    while children:
        pid, status = os.waitpid(-1, os.WNOHANG)
        if pid == 0:
            return
        with children.pop(pid) as end, contextlib.suppress(OSError):  # the client may be gone
            end.send(STATUS.pack(os.waitstatus_to_exitcode(status)))


def _answer(connection: socket.socket, limits: RenderLimits) -> None:
    connection.settimeout(None)
    with connection.makefile("rb") as source:
        request = source.read()
    try:
        answer, payload = DONE, _render(request, limits)
    except TooComplex as error:
        answer, payload = REFUSED, str(error).encode()
    except OUT_OF_MEMORY:
        raise
    except Exception:
        answer, payload = CRASHED, traceback.format_exc().encode()
    connection.sendall(answer + payload)


def _render(request: bytes, limits: RenderLimits) -> bytes:
    kind, document = unpack(request)
    if kind == CLOSING:
        result = pdf.render_closing(document)
    elif document.files:
        result = filling.made(kind, document)
    elif kind == PDF:
        result = pdf.render(document, limits.pages)
    else:
        result = word.render_redline(document) if kind == REDLINE else word.render(document)
    if len(result) > limits.output_mib * MIB:
        raise TooComplex(limits.too_large)
    return result


def _limit(limits: RenderLimits) -> None:
    """Sets the limits; the kernel ends the process at one."""
    gc.disable()  # the process ends with its document
    signal.set_wakeup_fd(-1)
    signal.signal(signal.SIGALRM, signal.SIG_DFL)
    signal.setitimer(signal.ITIMER_REAL, limits.patience)
    bounds = {
        resource.RLIMIT_CPU: limits.seconds,
        resource.RLIMIT_AS: limits.memory_mib * MIB,
        resource.RLIMIT_FSIZE: 0,
        resource.RLIMIT_NOFILE: OPEN_FILES,
        resource.RLIMIT_CORE: 0,
    }
    for name, bound in bounds.items():
        hard = resource.getrlimit(name)[1]
        bound = bound if hard == resource.RLIM_INFINITY else min(bound, hard)
        resource.setrlimit(name, (bound, hard))


def _die_with(parent: int) -> None:
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
    if os.getppid() != parent:
        os._exit(1)


def _end_of_children() -> socket.socket:
    reading, writing = socket.socketpair()
    writing.setblocking(False)
    signal.signal(signal.SIGCHLD, lambda _signal, _frame: None)
    signal.set_wakeup_fd(writing.detach(), warn_on_full_buffer=False)
    return reading


def _warm_up() -> None:
    """Fills the libraries' caches, unless a trial in a child starts threads."""
    pid = os.fork()
    if pid == 0:
        _render_samples()
        os._exit(len(os.listdir("/proc/self/task")) if sys.platform == "linux" else 2)
    if os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]) == 1:
        _render_samples()
    gc.collect()
    gc.freeze()
    gc.enable()


def _render_samples() -> None:
    pdf.render(SAMPLE)
    word.render(SAMPLE)
