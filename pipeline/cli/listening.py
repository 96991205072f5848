"""The listening socket of `pipeline serve`."""

import errno
import socket

from pipeline.cli.failures import Failure

BACKLOG = 4096


def listen(host: str, port: int) -> socket.socket:
    """A listening socket; raises Failure."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    listener = socket.socket(family, socket.SOCK_STREAM)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listener.bind((host, port))
        listener.listen(BACKLOG)
    except OSError as error:
        listener.close()
        hint = "; choose another port with PORT or --port" if error.errno == errno.EADDRINUSE else ""
        raise Failure(f"Cannot listen on {host}:{port}: {error.strerror}{hint}.") from None
    return listener
