"""Makes PDFs of Word files with LibreOffice: one process for each, within limits, without a network or macros."""

import contextlib
import io
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
from html import escape
from pathlib import Path

import pikepdf
import structlog

from pipeline.documents.document import TooComplex, TooSlow, Unavailable
from pipeline.documents.processes.client import RenderLimits

PROGRAM, PACKAGE = "soffice", "libreoffice-writer-nogui"
# Address space beyond MEMORY: LibreOffice maps its libraries and fonts.
MORE_MEMORY_MIB = 1024
MIB = 1024 * 1024
KEPT = ("PATH", "LD_LIBRARY_PATH", "FONTCONFIG_FILE", "FONTCONFIG_PATH")
OPTIONS = (
    '{"UseTaggedPDF":{"type":"boolean","value":"true"},"ExportBookmarks":{"type":"boolean","value":"true"},'
    '"PDFUACompliance":{"type":"boolean","value":"true"},"EmbedStandardFonts":{"type":"boolean","value":"true"}}'
)
# The limits precede the program; a kernel without user namespaces leaves the profile's closed proxy alone.
MAIN = """
import ctypes, os, resource, sys
seconds, memory, output, niceness = map(int, sys.argv[1:5])
os.nice(niceness)
libc = ctypes.CDLL(None)
libc.unshare(0x40000000) and libc.unshare(0x10000000 | 0x40000000)
resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds + 1))
resource.setrlimit(resource.RLIMIT_AS, (memory, memory))
resource.setrlimit(resource.RLIMIT_FSIZE, (output, output))
resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
os.execvp(sys.argv[5], sys.argv[5:])
"""
NICENESS = 5
# LibreOffice leaves signs of colour fonts out of its PDF, such as ticks.
_FONTS = """<?xml version="1.0"?><!DOCTYPE fontconfig SYSTEM "fonts.dtd"><fontconfig>
<include ignore_missing="yes">{}</include><selectfont><rejectfont><pattern>
<patelt name="color"><bool>true</bool></patelt></pattern></rejectfont></selectfont></fontconfig>"""
FONTS_FILE = "/etc/fonts/fonts.conf"
_SETTINGS = {
    "Office.Common/Security/Scripting": {
        "DisableMacrosExecution": "true",
        "MacroSecurityLevel": "3",
        "BlockUntrustedRefererLinks": "true",
        "DisableActiveContent": "true",
    },
    "Inet/Settings": {
        "ooInetProxyType": "2",
        "ooInetHTTPProxyName": "127.0.0.1",
        "ooInetHTTPProxyPort": "9",
        "ooInetHTTPSProxyName": "127.0.0.1",
        "ooInetHTTPSProxyPort": "9",
    },
    "Office.Writer/Content/Update": {"Link": "0"},
}

log = structlog.get_logger(__name__)


def is_missing() -> bool:
    return shutil.which(PROGRAM) is None


class Converter:
    """RenderLimits how many documents are converted at once."""

    def __init__(self, limits: RenderLimits) -> None:
        self.limits = limits
        self.turns = threading.BoundedSemaphore(limits.processes)

    def convert(self, word: bytes, signed: bool = False) -> bytes:
        """The PDF of a Word file; raises TooComplex, TooSlow and Unavailable."""
        if is_missing():
            raise Unavailable(f"The converter is missing: install {PACKAGE}.")
        if not self.turns.acquire(timeout=self.limits.queue_seconds):
            raise Unavailable("Too many documents are being converted.")
        try:
            with tempfile.TemporaryDirectory(prefix="pipeline-") as folder:
                made = _convert(Path(folder), word, self.limits.of(signed))
        finally:
            self.turns.release()
        _check_pages(made, self.limits.of(signed).pages)
        return made


def _convert(folder: Path, word: bytes, limits: RenderLimits) -> bytes:
    profile = folder / "profile" / "user"
    profile.mkdir(parents=True)
    (profile / "registrymodifications.xcu").write_text(_profile())
    (folder / "fonts.conf").write_text(_FONTS.format(escape(os.environ.get("FONTCONFIG_FILE", FONTS_FILE))))
    (folder / "contract.docx").write_bytes(word)
    memory, output = (limits.memory_mib + MORE_MEMORY_MIB) * MIB, limits.output_mib * MIB
    bounds = [limits.seconds, memory, output, NICENESS]
    # `-env` gives each process its own profile, so that no process waits for another.
    command = [PROGRAM, f"-env:UserInstallation=file://{folder}/profile", "--headless", "--norestore", "--nolockcheck"]
    command += ["--convert-to", f"pdf:writer_pdf_Export:{OPTIONS}", "--outdir", str(folder), "contract.docx"]
    # A new session, so that all of its processes end together.
    process = subprocess.Popen(
        [sys.executable, "-I", "-c", MAIN, *map(str, bounds), *command],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        cwd=folder,
        env=_environment(folder),
        start_new_session=True,
    )
    try:
        process.wait(limits.patience)
    except subprocess.TimeoutExpired:
        raise TooSlow(f"The document was not converted within {limits.patience} seconds.") from None
    finally:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()
    made = folder / "contract.pdf"
    if not made.is_file() or not made.stat().st_size:
        log.warning("conversion_failed", status=process.returncode)
        raise TooComplex(
            f"Converting the file takes more than {limits.seconds} seconds of processor time, "
            f"{memory // MIB} MiB of memory or {limits.output_mib} MiB of output, or LibreOffice cannot read it."
        )
    return made.read_bytes()


def _environment(folder: Path) -> dict[str, str]:
    kept = {name: os.environ[name] for name in KEPT if name in os.environ}
    kept["FONTCONFIG_FILE"] = str(folder / "fonts.conf")
    return {**kept, "LC_ALL": "C.UTF-8", "HOME": str(folder), "TMPDIR": str(folder), "SAL_USE_VCLPLUGIN": "svp"}


def _profile() -> str:
    items = "".join(
        f'<item oor:path="/org.openoffice.{path}"><prop oor:name="{name}" oor:op="fuse"><value>{value}</value></prop>'
        "</item>"
        for path, values in _SETTINGS.items()
        for name, value in values.items()
    )
    return (
        '<?xml version="1.0" encoding="UTF-8"?><oor:items xmlns:oor="http://openoffice.org/2001/registry" '
        f'xmlns:xs="http://www.w3.org/2001/XMLSchema">{items}</oor:items>'
    )


def _check_pages(made: bytes, most: int) -> None:
    with pikepdf.open(io.BytesIO(made)) as pdf:
        if len(pdf.pages) > most:
            raise TooComplex(f"The document has more than {most} pages.")
