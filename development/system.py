"""Installs system packages: `python3 system.py serve|tests|operations|image|matrix`.

It uses apt-get, and the standard library alone, because it runs before any installation. If it cannot install (no root,
no Debian or Ubuntu), it prints the command and exits with 1.
"""

import ctypes
import os
import shutil
import subprocess
import sys
from ctypes.util import find_library

# (Debian package, the library, program, font or file that shows that it is installed).
SERVE = [
    ("libpango-1.0-0", "library", "pango-1.0", "libpango-1.0.so.0"),
    ("libpangoft2-1.0-0", "library", "pangoft2-1.0", "libpangoft2-1.0.so.0"),
    ("libharfbuzz-subset0", "library", "harfbuzz-subset", "libharfbuzz-subset.so.0"),
    ("fontconfig", "program", "fc-list"),
    ("fonts-liberation", "font", "Liberation Serif"),
    ("fonts-noto-core", "font", "Noto Serif Devanagari"),
    ("fonts-noto-cjk", "font", "Noto Serif CJK SC"),
    ("fonts-noto-color-emoji", "font", "Noto Color Emoji"),
    # The widths of Word's own Calibri and Cambria.
    ("fonts-crosextra-carlito", "font", "Carlito"),
    ("fonts-crosextra-caladea", "font", "Caladea"),
    ("libreoffice-writer-nogui", "program", "soffice"),
]
TESTS = [
    *SERVE,
    # The browser without windows needs fewer packages and renders the same pages.
    ("chromium-headless-shell", "program", "chromium-headless-shell"),
    ("firefox-esr", "program", "firefox-esr"),
    ("nodejs", "program", "node"),
    ("nginx-light", "program", "/usr/sbin/nginx"),
    ("libreoffice-calc-nogui", "file", "/usr/lib/libreoffice/program/libsclo.so"),
    ("poppler-utils", "program", "pdftotext"),
    ("pgbouncer", "program", "/usr/sbin/pgbouncer"),
]
OPERATIONS = [*TESTS, ("patroni", "program", "patroni"), ("python3-pysyncobj", "program", "syncobj_admin")]
IMAGE = [
    *SERVE,
    ("aardvark-dns", "program", "/usr/lib/podman/aardvark-dns"),
    ("buildah", "program", "buildah"),
    ("catatonit", "program", "catatonit"),
    ("docker-compose", "program", "docker-compose"),
    ("iptables", "program", "/usr/sbin/iptables"),
    ("mmdebstrap", "program", "mmdebstrap"),
    ("netavark", "program", "/usr/lib/podman/netavark"),
    ("podman", "program", "podman"),
    ("runc", "program", "/usr/sbin/runc"),
]
MATRIX = [*SERVE, ("mmdebstrap", "program", "mmdebstrap")]
NEEDS = {"serve": SERVE, "tests": TESTS, "operations": OPERATIONS, "image": IMAGE, "matrix": MATRIX}


def missing(needs):
    """The missing Debian packages."""
    return [package for package, kind, *names in needs if not CHECKS[kind](*names)]


def _has_library(name, soname):
    try:
        ctypes.CDLL(soname)
    except OSError:
        return find_library(name) is not None
    return True


def _has_program(name):
    return shutil.which(name) is not None


def _has_font(family):
    if not _has_program("fc-list"):
        return False
    return bool(subprocess.run(["fc-list", family], capture_output=True, check=False).stdout.strip())


CHECKS = {"library": _has_library, "program": _has_program, "font": _has_font, "file": os.path.exists}


def main(target):
    """Install the missing packages of a target of NEEDS; returns the exit status."""
    needs = NEEDS[target]
    packages = missing(needs)
    if not packages:
        return 0
    install = ["apt-get", "install", "-q", "-y", "--no-install-recommends", *packages]
    if os.geteuid() != 0 or not _has_program("apt-get"):
        print(
            f"From the system are missing: {', '.join(packages)} (Debian's names).\n"
            f"On Debian and Ubuntu: sudo {' '.join(install)}",
            file=sys.stderr,
        )
        return 1
    print(f"Installing {', '.join(packages)}", flush=True)
    environment = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
    for command in (["apt-get", "update", "-q"], install):
        done = subprocess.run(command, env=environment, stdin=subprocess.DEVNULL, check=False)
        if done.returncode:
            return done.returncode
    left = missing(needs)
    if left:
        print(f"Still missing after the installation: {', '.join(left)}", file=sys.stderr)
    return 1 if left else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
