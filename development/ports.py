"""Free ports for servers that are started beside others."""

import random
import socket

# Below those that the kernel gives to connections: one that is tried there before its server listens would reach
# itself, be answered with its own request, and keep the server from the port.
PORTS = range(15_000, 32_000)


def free_port() -> int:
    """A port of 127.0.0.1 that nobody uses, nor is given to anybody else before this process ends.

    Whoever asks for one listens there a while later, when a program has started; tests do so in several processes.
    """
    while not (_take(port := random.SystemRandom().choice(PORTS)) and is_free(port)):
        pass
    return port


def _take(port: int) -> bool:
    """Whether nobody has taken the port before; what tells it is a socket without a file, which ends with us."""
    taken = socket.socket(socket.AF_UNIX)
    try:
        taken.bind(f"\0pipeline port {port}")
    except OSError:
        taken.close()
        return False
    taken.detach()
    return True


def is_free(port: int) -> bool:
    """Whether a server may listen there."""
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind(("127.0.0.1", port))
        except OSError:
            return False
    return True
