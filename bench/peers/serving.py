"""The contestants' web processes, started as in production, and a folder for the peers' packages."""

import os
import subprocess
import sys
import venv
from pathlib import Path

from bench.servers import ROOT, Web, free_port
from bench.site import SITE

HERE = Path(__file__).resolve().parent
FOLDER = ROOT / ".data" / "bench-peers"
THREADS = "8"
LEAN = "FastAPI, lean"
# The name in the report: the interface of its web server, and the application.
PEERS = {
    "Django REST": ("wsgi", "django_rest:application"),
    "FastAPI + SQLAlchemy": ("asgi", "fastapi_sqlalchemy:app"),
    "FastAPI + psycopg": ("asgi", "fastapi_psycopg:app"),
    LEAN: ("uvicorn", "fastapi_lean:app"),
}


def install(say):
    """The Python (Path) of the peers' own folder, with their pinned packages."""
    python, stamp = FOLDER / "bin" / "python", FOLDER / "installed.txt"
    wanted = (HERE / "requirements.txt").read_text()
    if not stamp.exists() or stamp.read_text() != wanted:
        say(f"installing the peers into {FOLDER.relative_to(ROOT)}")
        venv.create(FOLDER, with_pip=True, clear=True)
        packages = [python, "-m", "pip", "install", "--quiet", "--requirement", HERE / "requirements.txt"]
        subprocess.run(packages, check=True)
        stamp.write_text(wanted)
    return python


def service(environ, workers, core, log):
    """The service as in production."""
    port = free_port()
    command = [sys.executable, "-m", "pipeline", "serve", "--port", str(port), "--workers", str(workers)]
    return Web("pipeline", port, command, os.environ | environ, core, log)


def floor(site_file, workers, core, log):
    """The service's statements through psycopg alone, on the same web server."""
    port = free_port()
    command = [sys.executable, "-m", "bench.served", str(port), THREADS, str(workers)]
    return Web("floor", port, command, os.environ | {SITE: str(site_file), "BENCH_TARGET": "floor"}, core, log)


def peer(name, python, environ, workers, core, log):
    """One of PEERS, on granian or uvicorn."""
    interface, application = PEERS[name]
    port = free_port()
    serve = _uvicorn(python, port, workers) if interface == "uvicorn" else _granian(python, interface, port, workers)
    command = [*serve, application]
    own = {"PYTHONPATH": str(HERE), "DJANGO_SETTINGS_MODULE": "django_settings"}
    return Web(name, port, command, os.environ | environ | own, core, log)


def _uvicorn(python, port, workers):
    own = ["--loop", "uvloop", "--http", "httptools", "--log-level", "warning", "--no-access-log"]
    return [str(python), "-m", "uvicorn", "--workers", str(workers), "--port", str(port), *own]


def _granian(python, interface, port, workers):
    own = ["--blocking-threads", THREADS] if interface == "wsgi" else ["--loop", "uvloop"]
    return [
        str(python),
        "-m",
        "granian",
        "--interface",
        interface,
        "--workers",
        str(workers),
        *own,
        "--http",
        "1",
        "--no-ws",
        "--port",
        str(port),
        "--log-level",
        "warning",
    ]
