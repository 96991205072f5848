"""One client's connection: from the first byte of a request to the last byte of its answer, again and again.

Whoever has taken a connection out of the server's table owns it: a thread that its socket is ready for, or the clock
when its time is over. Each method that is called from there ends by parking it again, by letting it wait for its turn
to be served, or by closing it.
"""

import contextlib
import select
import socket
import time
from collections.abc import Callable
from typing import TYPE_CHECKING

import structlog

from pipeline.errors import Problem
from pipeline.server import refusals
from pipeline.server.answer import Answer, respond
from pipeline.server.body import Body
from pipeline.server.delivery import Delivery, Gone, tell
from pipeline.server.head import LONGEST_HEAD, Head, parse

# The server makes its connections.
if TYPE_CHECKING:
    from pipeline.server.server import Server

IN, OUT = select.EPOLLIN | select.EPOLLONESHOT, select.EPOLLOUT | select.EPOLLONESHOT
# In the order in which they give up their place to a newcomer; the last two do not. A request that waits for its turn
# is being served.
LINGERING, IDLE, NEW, HEAD, BODY, ANSWERING, SERVING = range(7)
# Their clients have begun, or are about to; those who have been at it for longest give way first.
ARRIVING = (NEW, HEAD, BODY)
CHUNK = 64 * 1024
# What one client sends is read so often before it is another's turn.
CHUNKS = 4
# A refused client may still be sending: with the connection closed at once it would lose the answer.
LINGER_SECONDS = 1
# How long a request may go on to arrive when the server is to stop.
STOP_SECONDS = 3
# Where threads were late, not the client.
AGAIN_SECONDS = 1

log = structlog.get_logger(__name__)


class Connection:
    """See the module; `server` is the Server, `group` the network that counts as one client."""

    def __init__(self, server: "Server", socket: socket.socket, peer: str, group: str) -> None:
        self.server, self.socket, self.fd, self.peer, self.group = server, socket, socket.fileno(), peer, group
        self.buffer = b""
        self.head: Head | None = None
        self.body: Body | None = None
        self.delivery: Delivery | None = None
        self.keep_alive, self.known, self.mark, self.paused = True, False, 0, False
        self._enter(NEW, server.bounds.header_seconds)

    def awaited(self) -> int:
        """What the socket must be ready for. Who has sent a further request waits for a turn only; who is paused, for
        the clock.
        """
        if self.paused:
            return select.EPOLLONESHOT
        return OUT if self.state == ANSWERING or (self.state == IDLE and self.buffer) else IN

    def advance(self) -> None:
        """Go on with what the socket is ready for, until it would block or a request is complete."""
        self._guarded(self._advance)

    def serve(self, body: Body) -> None:
        """Run the application, now that it is this request's turn; what its client does not read is sent later."""
        self._guarded(self._serve, body)

    def _guarded(self, step: Callable[..., object], *given: object) -> None:
        try:
            step(*given)
        except Problem as problem:
            self.refuse(problem)
        except Gone:
            self.close()
        except OSError as error:
            tell(error, self.peer)
            self.close()
        except Exception as error:
            log.error("crash", exc_info=error)
            self.close()

    def expire(self, now: float) -> None:
        """What the clock does when the deadline is over."""
        self._guarded(self._expire, now)

    def _expire(self, now: float) -> None:
        if self.state in (BODY, ANSWERING) and self._has_moved():
            self.deadline = now + self.server.bounds.stall_seconds
        elif self.state != LINGERING and self._is_ready():
            self.deadline = now + AGAIN_SECONDS
        elif self.state in (HEAD, BODY):
            raise Problem("request_timeout")
        else:
            if self.delivery is not None:
                self.delivery.cut()
            raise Gone
        self.server.park(self)

    def give_way(self) -> None:
        """End for a newcomer's sake, at once: who lingers still takes a place."""
        if self.state in ARRIVING:
            with contextlib.suppress(OSError):
                self.socket.send(refusals.answer(Problem("too_many_connections"), self.head, self.peer))
                # What has come and nobody has read would make the system drop the answer.
                self.socket.recv(CHUNK)
        self.close()

    def hurry(self, now: float) -> None:
        """The server is to stop: whatever has begun may be completed, soon."""
        self.paused = False
        if self.state in (IDLE, NEW) and not self.buffer and not self._is_ready():
            self.close()
            return
        if self.state != ANSWERING:
            self.deadline = min(self.deadline, now + (LINGER_SECONDS if self.state == LINGERING else STOP_SECONDS))
        self.server.park(self)

    def refuse(self, problem: Problem) -> None:
        """Answer a problem as far as the socket takes it at once, and end the connection."""
        answer = refusals.answer(problem, self.head, self.peer)
        self._forget()
        try:
            self.socket.send(answer)
            self._end()
        except OSError:
            self.close()

    def close(self) -> None:
        """End the connection now."""
        self._forget()
        self.server.crowd.leave(self)
        self.socket.close()

    def _enter(self, state: int, seconds: float) -> None:
        self.state, self.since = state, time.monotonic()
        self.deadline = self.since + seconds

    def _advance(self) -> None:
        self.paused = False
        if self.delivery is not None and not self._flush(self.delivery):
            return
        if self.buffer and self.state == IDLE and self._take(b""):
            return
        for _ in range(CHUNKS):
            try:
                data = self.socket.recv(CHUNK)
            except BlockingIOError:
                break
            if not data:
                raise Gone
            body = self.body
            # Counted before it is taken: when it completes the request, that is another thread's.
            ahead = body is not None and body.on_disk and not self.server.may_go_on(self, body, len(data))
            if self.state != LINGERING and self._take(data):
                return
            if body is not None and ahead:
                self.server.pause(self, body)
                return
        self.server.park(self)

    def _take(self, data: bytes) -> bool:
        """Take bytes of a request; whether they completed it, so that it waits for its turn."""
        body = self.body
        if body is None:
            begun = self._take_head(self.buffer + data)
            if begun is None:
                return False
            body, data = begun
        self.buffer = body.feed(data)
        if body.complete:
            self.state = SERVING
            self.server.queue(self, body)
            return True
        return False

    def _take_head(self, data: bytes) -> tuple[Body, bytes] | None:
        """Take all bytes of a head so far; the body and what has come of it when the head is complete, else None."""
        if self.state in (IDLE, NEW):
            data = data.lstrip(b"\r\n")
        end = data.find(b"\r\n\r\n") + 4
        if end < 4 and len(data) < LONGEST_HEAD:
            self.buffer = data
            if data and self.state in (IDLE, NEW):
                self._enter(HEAD, self.server.bounds.header_seconds)
                if not data[:1].isalpha():
                    raise Problem("malformed_request", "This is not HTTP/1.1.")
            return None
        if not 4 <= end <= LONGEST_HEAD:
            raise Problem("headers_too_large")
        head = parse(data[:end])
        self.buffer, self.head = b"", head
        body = self.body = Body(head, self.server.budget, self._owner())
        if not body.complete:
            self._enter(BODY, self.server.bounds.stall_seconds)
            self.mark = 0
            if head.expects_continue and end == len(data):
                self.socket.send(b"HTTP/1.1 100 Continue\r\n\r\n")
        return body, data[end:]

    def _serve(self, body: Body) -> None:
        patience = self.server.bounds.stall_seconds
        delivery = Delivery(self.socket, self.peer, self.server.budget, self._owner(), patience)
        self.delivery = delivery
        environ = self.server.environ(self.peer, body)
        answer = Answer(environ, body.head.keep_alive and not self.server.stopping, delivery)
        respond(self.server.application, environ, answer)
        self.keep_alive = answer.keep_alive
        if self._flush(delivery):
            (self.server.rest if answer.status.startswith("429") else self.server.park)(self)

    def _flush(self, delivery: Delivery) -> bool:
        """Send what is left of the answer; whether the connection then waits for the next request."""
        if not delivery.flush():
            if self.state != ANSWERING:
                self._enter(ANSWERING, self.server.bounds.stall_seconds)
                self.mark = 0
            self.server.park(self)
            return False
        self._forget()
        if not self.keep_alive or self.server.stopping:
            self._end()
            return False
        self._enter(IDLE, self.server.bounds.idle_seconds)
        return True

    def _end(self) -> None:
        """Say that nothing more will come, and wait a moment for the client to say so, too."""
        self.socket.shutdown(1)
        self.buffer = b""
        self._enter(LINGERING, LINGER_SECONDS)
        self.server.park(self)

    def _forget(self) -> None:
        """Give up what a request and its answer have on disk."""
        for part in (self.body, self.delivery):
            if part is not None:
                part.close()
        self.head = self.body = self.delivery = None

    def _owner(self) -> str | None:
        return self.group if self.server.bounds.connections_per_address else None

    def _has_moved(self) -> bool:
        """Whether enough of a body has come, or of an answer has gone, since this was asked last."""
        received = self.body.received if self.body is not None else 0
        moved = received if self.delivery is None else self.delivery.taken()
        bounds, before = self.server.bounds, self.mark
        self.mark = moved
        return moved - before >= bounds.bytes_per_second * bounds.stall_seconds

    def _is_ready(self) -> bool:
        """Whether the client has done its part and waits for a thread."""
        ready = select.poll()
        ready.register(self.fd, select.POLLOUT if self.state == ANSWERING else select.POLLIN)
        return bool(ready.poll(0))
