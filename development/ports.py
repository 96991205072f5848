"""Free ports for servers that are started beside others."""

import random
import socket

# Below those that the kernel gives to connections: one that is tried there before its server listens would reach
# itself, be answered with its own request, and keep the server from the port.
PORTS = range(15_000, 32_000)


def free_port() -> int:
    """A port of 127.0.0.1 that nobody uses."""
    while not is_free(port := random.SystemRandom().choice(PORTS)):
        pass
    return port


def is_free(port: int) -> bool:
    """Whether a server may listen there."""
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind(("127.0.0.1", port))
        except OSError:
            return False
    return True
