"""The socket of `pipeline serve`."""

import errno
import socket

from pipeline.cli.failures import Failure


def bound_socket(host: str, port: int) -> socket.socket:
    """A bound socket; raises Failure.

    The server listens on it once it can answer; until then connections are refused, and proxies try another instance.
    """
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    listener = socket.socket(family, socket.SOCK_STREAM)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listener.bind((host, port))
    except OSError as error:
        listener.close()
        hint = "; choose another port with PORT or --port" if error.errno == errno.EADDRINUSE else ""
        raise Failure(f"Cannot listen on {host}:{port}: {error.strerror}{hint}.") from None
    return listener
