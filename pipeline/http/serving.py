"""The web server: waitress, with the settings and the few changes that the service needs (docs/server.md).

Waitress buffers requests and answers in a thread of its own, so a slow client holds none of the threads that run the
application.
"""

import contextlib
import resource
import socket
import time
from email.utils import formatdate
from wsgiref.types import WSGIApplication

import structlog
from waitress import wasyncore
from waitress.adjustments import Adjustments
from waitress.channel import ClientDisconnected, HTTPChannel
from waitress.server import TcpWSGIServer
from waitress.task import ThreadedTaskDispatcher, WSGITask

from pipeline.errors import Problem
from pipeline.http import cores
from pipeline.http.ingress import request_id
from pipeline.http.parsing import Parser
from pipeline.http.problems import problem_response
from pipeline.telemetry import metrics

# More than any endpoint takes: an upload may have 25 MiB, its form is a little larger.
LARGEST_BODY = 32 * 1024 * 1024
LARGEST_HEAD = 32 * 1024
# More than this of a body or of an answer waits on disk.
MEMORY = 64 * 1024
# So much of an answer waits for its reader before the application does.
LARGEST_WAITING = 16 * 1024 * 1024
# Connections of one process. Each takes up to three open files.
CONNECTIONS = 1500
FILES_OF_A_CONNECTION, OTHER_FILES = 3, 256
BACKLOG = 4096
# A connection that neither sends nor takes a byte for so long is closed. A proxy in front must let go of it before.
IDLE_SECONDS, LOOK_SECONDS = 30, 5
# How long the server finishes what it has begun, and how long a request may still arrive meanwhile.
STOP_SECONDS, ARRIVAL_SECONDS = 30.0, 3.0
CODES = {413: "body_too_large", 431: "headers_too_large"}

log = structlog.get_logger(__name__)


class Answering(WSGITask):
    """Answers one request. Waitress ends the connection after 204, 304 and chunks; this does not."""

    content_length: int | None

    @property
    def has_body(self) -> bool:
        """Whether the answer has a body, whatever the application gives."""
        return bool(self.request.command != "HEAD" and super().has_body)

    def set_close_on_finish(self) -> None:
        """Let the connection end with this answer."""
        self.close_on_finish = True

    def service(self) -> None:
        """Answer. A failure is logged without the path of its request, which may hold a token; waitress logs it."""
        with contextlib.suppress(ClientDisconnected):
            try:
                self.start()
                self.execute()
                self.finish()
                # No thread waits for a reader who has sent the next request and does not take this answer.
                self.close_on_finish |= len(self.channel.requests) > 1 and self.channel.total_outbufs_len > 0
                return
            except ClientDisconnected:
                raise
            except Exception as error:
                log.error("crash", exc_info=error)
                if not self.wrote_header:
                    self.refuse(Problem("internal_error"), request_id({}))
        self.close_on_finish = True

    def refuse(self, problem: Problem, id: str) -> None:
        """Answer with a problem, and end the connection."""
        response = problem_response(problem, id)
        own = {"X-Request-Id": id, "X-Content-Type-Options": "nosniff", "Cache-Control": "no-store"}
        self.status, self.response_headers = response.status, [*response.headerlist, *own.items()]
        self.content_length, self.complete, self.close_on_finish = len(response.body), True, True
        self.write(response.body)

    def build_response_header(self) -> bytes:
        """The head of the answer; it decides whether the connection goes on."""
        headers, modern = self.response_headers, self.version == "1.1"
        named = {name.lower() for name, _value in headers}
        if self.has_body and "content-length" not in named:
            if self.content_length is not None:
                headers.append(("Content-Length", str(self.content_length)))
            elif modern:
                self.chunked_response = True
                headers.append(("Transfer-Encoding", "chunked"))
            else:
                self.close_on_finish = True
        asked = self.request.headers.get("CONNECTION", "").lower()
        if self.channel.server.stopped or ("close" in asked if modern else "keep-alive" not in asked):
            self.close_on_finish = True
        if self.close_on_finish:
            headers.append(("Connection", "close"))
        elif not modern:
            headers.append(("Connection", "keep-alive"))
        headers.append(("Date", formatdate(self.start_time, usegmt=True)))
        lines = [f"HTTP/1.1 {self.status}", *(f"{name}: {value}" for name, value in headers), "", ""]
        return "\r\n".join(lines).encode("latin-1")


class Refusing(Answering):
    """Answers a request that the server itself refuses, and logs and counts it."""

    def execute(self) -> None:
        """Send the problem."""
        code = CODES.get(self.request.error.code, "malformed_request")
        detail = f"The body may have at most {LARGEST_BODY} bytes." if code == CODES[413] else self.request.detail
        id = request_id({"HTTP_X_REQUEST_ID": self.request.headers.get("X_REQUEST_ID")})
        metrics.refusals.labels(code).inc()
        log.info("refused", code=code, client=self.channel.addr[0], request_id=id)
        self.refuse(Problem(code, detail), id)


class Channel(HTTPChannel):
    """One connection."""

    task_class, error_task_class, parser_class = Answering, Refusing, Parser
    # When a complete request began to wait for a thread.
    waiting_since = 0.0

    def service(self) -> None:
        """Answer one request."""
        metrics.turns.observe(time.monotonic() - self.waiting_since)
        super().service()

    def write_soon(self, data: bytes) -> int:
        """Take a piece of an answer."""
        # A request may have taken long: the client is idle only from here on.
        self.last_activity = time.time()
        return int(super().write_soon(data))

    def is_busy(self, arriving: bool) -> bool:
        """Whether a request is served or its answer is leaving, or, when `arriving` counts, whether one is read."""
        return bool(self.requests or self.total_outbufs_len or (arriving and self.request is not None))


class Threads(ThreadedTaskDispatcher):
    """The threads that run the application, all on one core if there is one for them."""

    def __init__(self, core: int | None) -> None:
        super().__init__()
        self.core = core

    def handler_thread(self, thread_no: int) -> None:
        """Serve one request after the other."""
        cores.stay(self.core)
        super().handler_thread(thread_no)


class Server(TcpWSGIServer):
    """Serves an application on a listening socket, with so many threads; closes the socket when it stops."""

    channel_class = Channel

    def __init__(
        self, application: WSGIApplication, listener: socket.socket, threads: int, core: int | None = None
    ) -> None:
        self.core, self.stopped = core, 0.0
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

    def add_task(self, channel: Channel) -> None:
        """Let a complete request wait for a thread."""
        channel.waiting_since = time.monotonic()
        super().add_task(channel)

    def maintenance(self, now: float) -> None:
        """Close idle connections; those too whose answer waits for its reader, and perhaps holds a thread."""
        for channel in self.active_channels.values():
            if channel.last_activity >= now - self.adj.channel_timeout:
                continue
            if channel.total_outbufs_len:
                log.warning("answer cut", client=channel.addr[0])
                channel.will_close = True
            elif not channel.requests:
                channel.will_close = True

    def run(self) -> None:
        """Serve until `stop()` is called, and what has begun is finished."""
        cores.stay(self.core)
        while not self.stopped or self._is_busy():
            wasyncore.loop(LOOK_SECONDS if not self.stopped else 0.1, use_poll=True, map=self._map, count=1)
        self.task_dispatcher.shutdown(timeout=1)

    def stop(self) -> None:
        """Take no further connection, finish what has begun, and then end `run()`; for another thread to call."""

        def begin() -> None:
            self.stopped = time.monotonic()
            self.del_channel()
            self.socket.close()

        self.trigger.pull_trigger(begin)

    def _is_busy(self) -> bool:
        seconds = time.monotonic() - self.stopped
        busy = any(channel.is_busy(seconds < ARRIVAL_SECONDS) for channel in self.active_channels.values())
        return busy and seconds < STOP_SECONDS


def adjustments(listener: socket.socket) -> Adjustments:
    """Waitress' settings. X-Forwarded-For stays: http/clients.py knows how many proxies are trusted."""
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
        # A client that hangs up is no failure of ours.
        log_socket_errors=False,
        # select() knows no more than 1,024 files.
        asyncore_use_poll=True,
    )


def _connections() -> int:
    """How many connections the process may have by the limit of its open files, which is raised as far as it may be."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = FILES_OF_A_CONNECTION * CONNECTIONS + OTHER_FILES
    if soft != resource.RLIM_INFINITY and soft < wanted:
        soft = wanted if hard == resource.RLIM_INFINITY else min(wanted, hard)
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
        return max(16, min(CONNECTIONS, (soft - OTHER_FILES) // FILES_OF_A_CONNECTION))
    return CONNECTIONS
