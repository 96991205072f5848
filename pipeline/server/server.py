"""The threads of one process, and the table of the connections that none of them is busy with.

All threads wait for all sockets. The one that an event wakes reads, and then everything else that can be read; requests
that are complete wait for their turn (turns.py), of which the thread serves the next. With nothing else to do that is
what it has just read, so a request costs no hand-over between threads. An event is given once (EPOLLONESHOT), and
whoever takes the connection out of the table (`dict.pop` is atomic) owns it; so a stale or doubled event does no harm.
"""

import contextlib
import os
import select
import socket
import sys
import threading
import time
from collections.abc import Callable, Hashable, Iterable
from wsgiref.types import WSGIApplication, WSGIEnvironment
from wsgiref.util import FileWrapper

import structlog

from pipeline.errors import Problem
from pipeline.http import cores
from pipeline.http.clients import network
from pipeline.server.body import Body
from pipeline.server.bounds import Bounds
from pipeline.server.connection import BODY, NEW, Connection
from pipeline.server.crowd import Crowd
from pipeline.server.pace import Pace
from pipeline.server.spool import Budget
from pipeline.server.turns import Turns
from pipeline.telemetry.metrics import turns

# New connections are taken, and sockets read, by so many before a thread serves again.
ACCEPTS = 64
EVENTS = 16
TICK_SECONDS, STOP_TICK_SECONDS = 0.25, 0.05
# While bodies wait that may be read a little later.
PACE_TICK_SECONDS = 0.02
STOP_SECONDS = 30
# Bytes that the system keeps for a reader beyond those on their way to it.
UNSENT = 128 * 1024

# A request that waits for its turn: the connection that it came by, and its body, which is complete.
Waiting = tuple[Connection, Body]

log = structlog.get_logger(__name__)


def _address(environ: WSGIEnvironment) -> tuple[None, str]:
    return None, environ["REMOTE_ADDR"]


class Server:
    """Serves a WSGI application on a listening socket with `threads` threads, within Bounds.

    source: whose turn a request takes, the path of its environ; see turns.py. By itself each address's.
    core: where its threads stay, by themselves on none (see http/cores.py).
    """

    def __init__(
        self,
        application: WSGIApplication,
        listener: socket.socket,
        threads: int,
        bounds: Bounds,
        source: Callable[[WSGIEnvironment], tuple[Hashable, ...]] = _address,
        *,
        core: int | None = None,
    ) -> None:
        self.application, self.listener, self.bounds = application, listener, bounds.that_fit()
        if self.bounds.connections < bounds.connections:
            log.warning("too few open files are allowed", connections=self.bounds.connections)
        self.crowd, self.budget = Crowd(self.bounds), Budget(self.bounds.spool_mib * 1024 * 1024)
        self.parked: dict[int, Connection] = {}
        self.stopping = False
        self.core = core
        self.turns: Turns[Waiting] = Turns(threads)
        self.pace: Pace[Connection] = Pace()
        self.source = source
        self.epoll = select.epoll()
        # Each call wakes one resting thread.
        self._calls = os.eventfd(0, os.EFD_NONBLOCK | os.EFD_SEMAPHORE)
        self._ended, self._end = os.pipe()
        self._threads = [threading.Thread(target=self._work, daemon=True) for _ in range(threads)]
        host, port = listener.getsockname()[:2]
        self._environ = {
            "SCRIPT_NAME": "",
            "SERVER_NAME": host,
            "SERVER_PORT": str(port),
            "wsgi.version": (1, 0),
            "wsgi.url_scheme": "http",
            "wsgi.errors": sys.stderr,
            "wsgi.multithread": True,
            "wsgi.multiprocess": True,
            "wsgi.run_once": False,
            "wsgi.file_wrapper": FileWrapper,
        }

    def run(self, stops: Iterable[int], seconds: float = STOP_SECONDS) -> None:
        """Serve until one of the file descriptors `stops` can be read; then complete what has begun, for so long."""
        self.listener.setblocking(False)
        # What connections inherit: small answers leave at once, readers that stand still take little of the system's
        # memory, and clients that have vanished are found.
        self.listener.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.listener.setsockopt(socket.IPPROTO_TCP, socket.TCP_NOTSENT_LOWAT, UNSENT)
        self.listener.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)
        self.epoll.register(self.listener.fileno(), select.EPOLLIN | select.EPOLLEXCLUSIVE)
        self.epoll.register(self._ended, select.EPOLLIN)
        self.epoll.register(self._calls, select.EPOLLIN | select.EPOLLEXCLUSIVE)
        for thread in self._threads:
            thread.start()
        waiting = select.poll()
        for stop in stops:
            waiting.register(stop, select.POLLIN)
        look = 0.0
        while not waiting.poll((PACE_TICK_SECONDS if self.pace.is_asked() else TICK_SECONDS) * 1000):
            self._end_pauses()
            if time.monotonic() >= look:
                self._look_at_clock()
                look = time.monotonic() + TICK_SECONDS
        self._stop(time.monotonic() + seconds)

    def park(self, connection: Connection) -> None:
        """Leave a connection until its socket is ready; it is no longer the caller's."""
        known, connection.known = connection.known, True
        fd, events = connection.fd, connection.awaited()
        self.parked[fd] = connection
        # Where the clock was faster and has closed it, there is nothing to wait for.
        with contextlib.suppress(OSError, ValueError):
            (self.epoll.modify if known else self.epoll.register)(fd, events)

    def may_go_on(self, connection: Connection, body: Body, size: int) -> bool:
        """Count bytes that were read of a large body; whether its group is not ahead of its pace."""
        if body.group is None:
            # An organization's people, its prospects, or all strangers together.
            body.group = self._source(connection, body)[:2]
        return self.pace.read(body.group, size)

    def pause(self, connection: Connection, body: Body) -> None:
        """Park a connection until more of its body's group may be read."""
        connection.paused, since = True, connection.since
        self.park(connection)
        self.pace.wait(body.group, since, connection)

    def rest(self, connection: Connection) -> None:
        """Park a connection whose request was one too many; not behind a proxy, whose connections are everybody's."""
        connection.paused = self.bounds.connections_per_address > 0
        self.park(connection)
        if self.bounds.connections_per_address:
            self.pace.rest(connection)

    def environ(self, peer: str, body: Body) -> WSGIEnvironment:
        """The WSGI environ of the request that has this body, and comes from this address."""
        environ = {**self._environ, "REMOTE_ADDR": peer, **body.head.environ}
        environ["wsgi.input"] = body.open()
        if body.chunked:
            environ["CONTENT_LENGTH"] = str(body.size)
        return environ

    def queue(self, connection: Connection, body: Body) -> None:
        """Let a connection whose request is complete wait for its turn; it is no longer the caller's."""
        connection.since = time.monotonic()
        self.turns.put(self._source(connection, body), (connection, body))

    def _source(self, connection: Connection, body: Body) -> tuple[Hashable, ...]:
        return self.source({**body.head.environ, "REMOTE_ADDR": connection.peer})

    def _work(self) -> None:
        cores.stay(self.core)
        listener = self.listener.fileno()
        resting = False
        while True:
            events = self.epoll.poll(None, 1) if resting else self.epoll.poll(0, EVENTS)
            if resting:
                self.turns.rise()
            for fd, _events in events:
                if fd == listener:
                    self._accept()
                elif fd == self._ended:
                    return
                elif fd == self._calls:
                    with contextlib.suppress(BlockingIOError):
                        os.eventfd_read(self._calls)
                elif connection := self.parked.pop(fd, None):
                    connection.advance()
            # What else can be read may be another's, and then has its turn first.
            turn = None if resting else self.turns.take(rest=not events)
            resting = not (resting or events or turn)
            if turn:
                self._serve(*turn)

    def _serve(self, group: Hashable, waiting: Waiting) -> None:
        """Serve a request whose turn it is, and call another thread when more wait."""
        connection, body = waiting
        turns.observe(time.monotonic() - connection.since)
        if self.turns.needs_help():
            os.eventfd_write(self._calls, 1)
        try:
            connection.serve(body)
        finally:
            self.turns.done(group)

    def _accept(self) -> None:
        for _ in range(ACCEPTS):
            try:
                client, peer = self.listener.accept()
            except BlockingIOError:
                return
            except OSError as error:
                if not self.stopping:
                    log.error("cannot accept", reason=error.strerror)
                    time.sleep(TICK_SECONDS)
                return
            client.setblocking(False)
            self._admit(Connection(self, client, peer[0], network(peer[0]) or peer[0]))

    def _admit(self, connection: Connection) -> None:
        crowds = self.crowd.enter(connection)
        if not crowds or any(map(self._make_room, crowds)):
            connection.advance()
        elif self.crowd.is_overfull():
            connection.close()
        else:
            connection.refuse(Problem("too_many_connections"))

    def _make_room(self, crowded: Iterable[Connection]) -> bool:
        """Whether one of these connections has given way, last those that wait because they are told to."""
        for connection in sorted(crowded, key=lambda one: (min(one.state, NEW), one.paused, one.since)):
            if connection.state <= BODY and self._claim(connection):
                connection.give_way()
                return True
        return False

    def _claim(self, connection: Connection) -> bool:
        """Whether the connection was in the table and now is the caller's."""
        if self.parked.get(connection.fd) is not connection:
            return False
        taken = self.parked.pop(connection.fd, None)
        if taken is not None and taken is not connection:
            self.park(taken)  # it came in between, on the same file descriptor
        return taken is connection

    def _end_pauses(self) -> None:
        for connection in self.pace.rested():
            if self._claim(connection):
                connection.paused = False
                self.park(connection)

    def _look_at_clock(self) -> None:
        now = time.monotonic()
        for connection in self.parked.copy().values():
            if connection.deadline < now and self._claim(connection):
                connection.expire(now)

    def _stop(self, end: float) -> None:
        self.stopping = True
        self.epoll.unregister(self.listener.fileno())
        self.listener.close()
        while self.crowd.number and time.monotonic() < end:
            for connection in self.parked.copy().values():
                if self._claim(connection):
                    connection.hurry(time.monotonic())
            self._look_at_clock()
            time.sleep(STOP_TICK_SECONDS)
        os.close(self._end)
        for thread in self._threads:
            thread.join(max(0.0, end - time.monotonic()))
