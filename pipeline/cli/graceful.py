"""Serve on waitress until a signal, and finish what is under way: waitress by itself cuts it off."""

import signal
import time
from types import FrameType

from waitress import wasyncore
from waitress.channel import HTTPChannel
from waitress.server import BaseWSGIServer

STOP_SECONDS = 30.0
LOOK_SECONDS = 1.0


def serve_until_signalled(server: BaseWSGIServer, seconds: float = STOP_SECONDS) -> None:
    """Run a waitress server until SIGTERM or SIGINT; it then refuses new connections and answers what it has begun.

    seconds: how long that may take. A second signal raises KeyboardInterrupt.
    """
    stopping: list[bool] = []

    def stop(_number: int, _frame: FrameType | None) -> None:
        if stopping:
            raise KeyboardInterrupt
        stopping.append(True)
        server.pull_trigger()

    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, stop)
    while not stopping:
        wasyncore.loop(LOOK_SECONDS, map=server._map, count=1)
    server.del_channel()
    server.socket.close()
    end = time.monotonic() + seconds
    while any(map(_is_busy, list(server._map.values()))) and time.monotonic() < end:
        wasyncore.loop(LOOK_SECONDS, map=server._map, count=1)
    server.task_dispatcher.shutdown(timeout=1)


def _is_busy(channel: wasyncore.dispatcher) -> bool:
    """Whether a request is being read, served or answered; a connection that only waits is not."""
    if not isinstance(channel, HTTPChannel):
        return False
    return bool(channel.requests or channel.request is not None or channel.total_outbufs_len)
