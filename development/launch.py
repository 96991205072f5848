"""Run a program as another account, and end it when its parent ends.

    python -I -S launch.py SIGNAL WAY UID GID FOLDER PROGRAM [ARGUMENT…]

The program gets SIGNAL, for instance TERM, when its parent ends (on Linux). WAY names the change of account:

- ``same``: keeps the account.
- ``plain``: becomes UID and GID, without supplementary groups or capabilities.
- ``search`` and ``override``: the same, but keeps the one capability CAP_DAC_READ_SEARCH or
  CAP_DAC_OVERRIDE, so that the program still reaches its files when a folder above them (a 0700 checkout) is
  closed to UID.
- ``namespace``: keeps the account, under the number UID of a user namespace of its own and without
  capabilities.

The program starts in FOLDER, so the account must be able to open it. Exit status 126 and a line on stderr mean
that WAY does not work here. This is a separate file with the standard library alone, so it starts in
milliseconds, without threads, locks and imports of the calling process.
"""

import ctypes
import os
import signal
import struct
import sys

CAPABILITIES = {"search": 2, "override": 1}  # linux/capability.h: CAP_DAC_READ_SEARCH, CAP_DAC_OVERRIDE
PR_SET_PDEATHSIG, PR_SET_SECUREBITS, PR_CAP_AMBIENT = 1, 28, 47
PR_CAP_AMBIENT_RAISE = 2
SECBIT_NO_SETUID_FIXUP = 1 << 2
CAPABILITY_VERSION_3 = 0x20080522
CLONE_NEWUSER = 0x10000000
WAY_FAILED = 126


def end_with_parent(number: int = signal.SIGTERM) -> None:
    """Get the signal `number` when the parent ends, even by SIGKILL. Linux only."""
    if not sys.platform.startswith("linux"):
        return
    parent = os.getppid()
    _call("prctl", PR_SET_PDEATHSIG, number)
    if os.getppid() != parent:  # the parent ended just before the call
        os.kill(os.getpid(), number)


def become(way: str, uid: int, gid: int) -> None:
    """Change the account in one of the ways above; raises OSError if the system forbids it."""
    if way == "namespace":
        _enter_namespace(uid, gid)
    elif way in CAPABILITIES:
        # Without this bit, access(2) ignores the capability; PostgreSQL checks its files with it.
        _call("prctl", PR_SET_SECUREBITS, SECBIT_NO_SETUID_FIXUP)
        _change_account(uid, gid)
        _keep_only(CAPABILITIES[way])
    elif way == "plain":
        _change_account(uid, gid)
    elif way != "same":
        raise ValueError(f"unknown way: {way}")


def _change_account(uid: int, gid: int) -> None:
    os.setgroups([])
    os.setgid(gid)  # as root, these two change the real, effective and saved numbers
    os.setuid(uid)


def _keep_only(capability: int) -> None:
    mask = 1 << capability
    header = struct.pack("=Ii", CAPABILITY_VERSION_3, 0)
    sets = struct.pack("=6I", mask, mask, mask, 0, 0, 0)  # effective, permitted, inheritable; upper halves
    _call("capset", header, sets)
    _call("prctl", PR_CAP_AMBIENT, PR_CAP_AMBIENT_RAISE, capability, 0, 0)


def _enter_namespace(uid: int, gid: int) -> None:
    outer_uid, outer_gid = os.geteuid(), os.getegid()
    _call("unshare", CLONE_NEWUSER)
    for name, text in (("setgroups", "deny"), ("uid_map", f"{uid} {outer_uid} 1"), ("gid_map", f"{gid} {outer_gid} 1")):
        with open(f"/proc/self/{name}", "w") as file:
            file.write(text)


def _call(name: str, *arguments) -> None:
    function = getattr(ctypes.CDLL(None, use_errno=True), name)
    # Variadic prctl reads whole registers: a bare Python int would be passed as a 32-bit one.
    if function(*(ctypes.c_ulong(a) if isinstance(a, int) else a for a in arguments)) != 0:
        number = ctypes.get_errno()
        raise OSError(number, f"{name}: {os.strerror(number)}")


def main() -> None:
    """The entry point; see the module's docstring for the arguments."""
    end_signal, way, uid, gid, folder, program, *arguments = sys.argv[1:]
    try:
        become(way, int(uid), int(gid))
        os.chdir(folder)
        end_with_parent(getattr(signal, f"SIG{end_signal}"))  # after the change of account, which clears it
        os.execv(program, [program, *arguments])
    except (OSError, AttributeError) as error:
        print(f"{program} cannot be run in the way {way!r}: {error}", file=sys.stderr)
        sys.exit(WAY_FAILED)


if __name__ == "__main__":
    main()
