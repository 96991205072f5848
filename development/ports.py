"""Free ports for servers that run side by side."""

import random
import socket

# Below the kernel's ports for outgoing connections: there, a client that connects before the server listens can connect
# to itself and occupy the port.
PORTS = range(15_000, 32_000)


def free_port() -> int:
    """A free port of 127.0.0.1. Until this process ends, `free_port` returns it to no other process."""
    while not (_take(port := random.SystemRandom().choice(PORTS)) and is_free(port)):
        pass
    return port


def _take(port: int) -> bool:
    """Reserve the port; False if another process has it. An abstract socket marks it until this process ends."""
    taken = socket.socket(socket.AF_UNIX)
    try:
        taken.bind(f"\0pipeline port {port}")
    except OSError:
        taken.close()
        return False
    taken.detach()
    return True


def is_free(port: int) -> bool:
    """Whether a server can listen on the port."""
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind(("127.0.0.1", port))
        except OSError:
            return False
    return True
