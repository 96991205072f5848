"""The web server: waitress with our settings (docs/server.md)."""

import resource
import socket
import time
from collections import Counter, OrderedDict, deque
from collections.abc import Callable
from wsgiref.types import WSGIApplication

import structlog
from waitress import wasyncore
from waitress.adjustments import Adjustments
from waitress.server import TcpWSGIServer
from waitress.task import ThreadedTaskDispatcher

from pipeline.http.server.exchange import Channel
from pipeline.http.server.parsing import LARGEST_BODY
from pipeline.process import cores

LARGEST_HEAD = 32 * 1024
# Larger bodies and responses go to disk.
MEMORY = 64 * 1024
# Requests of one client that wait for a thread; its other connections are not read meanwhile.
MOST_WAITING = 16
# New connections in one turn of the loop.
MOST_ACCEPTED = 64
# The application waits for the reader beyond this.
LARGEST_WAITING = 16 * 1024 * 1024
CONNECTIONS = 1500
FILES_OF_A_CONNECTION, OTHER_FILES = 3, 256
BACKLOG = 4096
# A proxy's idle timeout must be shorter.
IDLE_SECONDS, LOOK_SECONDS = 30, 5
# Seconds to finish requests on stop, and to receive one meanwhile.
STOP_SECONDS, ARRIVAL_SECONDS = 30.0, 3.0

log = structlog.get_logger(__name__)


class Turns:
    """Connections that wait for a thread: parties take turns, and clients within a party."""

    def __init__(self) -> None:
        self.number = 0
        self.clients: Counter[str] = Counter()
        self.parties: OrderedDict[str, OrderedDict[str, deque[Channel]]] = OrderedDict()

    def __len__(self) -> int:
        return self.number

    def append(self, channel: Channel) -> None:
        client = channel.client
        self.number += 1
        self.clients[client] += 1
        self.parties.setdefault(channel.party, OrderedDict()).setdefault(client, deque()).append(channel)

    def waiting(self, client: str) -> int:
        return self.clients[client]

    def popleft(self) -> Channel:
        """Remove the first connection of the next client of the next party."""
        party, lines = self.parties.popitem(last=False)
        client, line = lines.popitem(last=False)
        channel = line.popleft()
        if line:
            lines[client] = line
        if lines:
            self.parties[party] = lines
        self.number -= 1
        self.clients[client] -= 1
        if not self.clients[client]:
            del self.clients[client]
        return channel


class Threads(ThreadedTaskDispatcher):
    """The application threads, on one core if set."""

    def __init__(self, core: int | None) -> None:
        super().__init__()
        self.core, self.queue = core, Turns()

    def handler_thread(self, thread_no: int) -> None:
        cores.bind_thread(self.core)
        super().handler_thread(thread_no)


class WebServer(TcpWSGIServer):
    """Serves an application on a socket, closed on stop.

    core: for the threads.
    proxies: trusted ones.
    organization_of: the organization of an Authorization header, if known.
    """

    channel_class = Channel

    def __init__(
        self,
        application: WSGIApplication,
        listener: socket.socket,
        threads: int,
        core: int | None = None,
        proxies: int = 0,
        organization_of: Callable[[str | None], int | None] = lambda _authorization: None,
    ) -> None:
        self.core, self.proxies, self.stopped = core, proxies, 0.0
        self.organization_of = organization_of
        # Connections inherit it; bounds kernel memory for slow readers.
        listener.setsockopt(socket.IPPROTO_TCP, socket.TCP_NOTSENT_LOWAT, MEMORY)
        dispatcher = Threads(core)
        dispatcher.set_thread_count(threads)
        super().__init__(
            application,
            {},
            _sock=listener,
            dispatcher=dispatcher,
            adj=adjustments(listener),
            sockinfo=(listener.family, listener.type, listener.proto, listener.getsockname()),
            bind_socket=False,
        )

    def is_full(self, channel: Channel) -> bool:
        """Whether many requests of a connection's peer wait. A proxy bounds its clients by itself."""
        if self.proxies or self.stopped:
            return False
        queue: Turns = self.task_dispatcher.queue
        return queue.waiting(channel.peer) >= MOST_WAITING

    def handle_accept(self, most: int = MOST_ACCEPTED) -> None:
        """Take several new connections, so that none waits behind a turn for each."""
        for _ in range(most):
            before = len(self.active_channels)
            super().handle_accept()
            if len(self.active_channels) == before or len(self._map) >= self.adj.connection_limit:
                return

    def add_task(self, channel: Channel) -> None:
        channel.waiting_since = time.monotonic()
        super().add_task(channel)

    def maintenance(self, now: float) -> None:
        """Close idle connections, even with unread responses."""
        for channel in self.active_channels.values():
            if channel.last_activity >= now - self.adj.channel_timeout:
                continue
            if channel.total_outbufs_len:
                log.warning("answer cut", client=channel.addr[0])
                channel.will_close = True
            elif not channel.requests:
                channel.will_close = True

    def run(self) -> None:
        """Serve until `stop()` and all requests are finished."""
        cores.bind_thread(self.core)
        while not self.stopped or self._is_busy():
            wasyncore.loop(LOOK_SECONDS if not self.stopped else 0.1, use_poll=True, map=self._map, count=1)
        self.task_dispatcher.shutdown(timeout=1)
        wasyncore.close_all(self._map, ignore_all=True)

    def stop(self) -> None:
        """Finish requests and end `run()`; for another thread."""

        def begin() -> None:
            # A connection that waits in the kernel would be reset.
            self.handle_accept(BACKLOG)
            self.stopped = time.monotonic()
            self.del_channel()
            self.socket.close()

        self.trigger.pull_trigger(begin)

    def _is_busy(self) -> bool:
        seconds = time.monotonic() - self.stopped
        busy = any(channel.is_busy(seconds < ARRIVAL_SECONDS) for channel in self.active_channels.values())
        return busy and seconds < STOP_SECONDS


def adjustments(listener: socket.socket) -> Adjustments:
    """Waitress' settings; X-Forwarded-For stays for clients.py."""
    return Adjustments(
        sockets=[listener],
        backlog=BACKLOG,
        ident=None,
        clear_untrusted_proxy_headers=False,
        connection_limit=_connections(),
        channel_timeout=IDLE_SECONDS,
        cleanup_interval=LOOK_SECONDS,
        max_request_header_size=LARGEST_HEAD,
        max_request_body_size=LARGEST_BODY,
        inbuf_overflow=MEMORY,
        outbuf_overflow=MEMORY,
        outbuf_high_watermark=LARGEST_WAITING,
        recv_bytes=MEMORY,
        log_socket_errors=False,
        # select() has a limit of 1,024 files.
        asyncore_use_poll=True,
    )


def _connections() -> int:
    """The connection limit; raises the soft limit of files."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = FILES_OF_A_CONNECTION * CONNECTIONS + OTHER_FILES
    if soft != resource.RLIM_INFINITY and soft < wanted:
        soft = wanted if hard == resource.RLIM_INFINITY else min(wanted, hard)
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
        return max(16, min(CONNECTIONS, (soft - OTHER_FILES) // FILES_OF_A_CONNECTION))
    return CONNECTIONS
