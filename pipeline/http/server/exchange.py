"""One connection: waitress' channel with changes (docs/server.md)."""

import contextlib
import functools
import time
from typing import Any

import structlog
from waitress.buffers import ReadOnlyFileBasedBuffer
from waitress.channel import ClientDisconnected, HTTPChannel
from waitress.task import WSGITask
from waitress.utilities import build_http_date

from pipeline.http.clients import address
from pipeline.http.problems import problem_response
from pipeline.http.server.ingress import request_id
from pipeline.http.server.parsing import LARGEST_BODY, Parser
from pipeline.process import metrics
from pipeline.validation.errors import Problem

# Requests without a valid token take turns by these beginnings of their paths.
APART = ("/forms/", "/sign/", "/verify", "/api/public/", "/healthz", "/readyz", "/metrics")
CODES = {413: "body_too_large", 431: "headers_too_large"}
# Bytes read at once: parsing 64 KiB of tiny chunks would delay others.
CHUNKED_PIECE = 16 * 1024
# Bytes given to the kernel at once.
SENT_PIECE = 64 * 1024

log = structlog.get_logger(__name__)


class Answering(WSGITask):
    """Sends a response; unlike waitress, keeps the connection after 204, 304 and chunks."""

    content_length: int | None

    @property
    def has_body(self) -> bool:
        return bool(self.request.command != "HEAD" and super().has_body)

    def set_close_on_finish(self) -> None:
        self.close_on_finish = True

    def service(self) -> None:
        with contextlib.suppress(ClientDisconnected):
            try:
                self.start()
                self.execute()
                self.finish()
                # A client that reads nothing must not hold a thread.
                self.close_on_finish |= bool(self.request.rest) and self.channel.total_outbufs_len > 0
                return
            except ClientDisconnected:
                raise
            except Exception as error:
                log.error("crash", exc_info=error)
                if not self.wrote_header:
                    self.refuse(Problem("internal_error"), request_id({}))
        self.close_on_finish = True

    def refuse(self, problem: Problem, id: str) -> None:
        response = problem_response(problem, id)
        own = {"X-Request-Id": id, "X-Content-Type-Options": "nosniff", "Cache-Control": "no-store"}
        self.status, self.response_headers = response.status, [*response.headerlist, *own.items()]
        self.content_length, self.complete, self.close_on_finish = len(response.body), True, True
        self.write(response.body)

    def build_response_header(self) -> bytes:
        """The head; decides whether the connection stays open."""
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
        headers.append(("Date", build_http_date(self.start_time)))
        lines = [f"HTTP/1.1 {self.status}", *(f"{name}: {value}" for name, value in headers), "", ""]
        return "\r\n".join(lines).encode("latin-1")


class Refusing(Answering):
    """Refuses a request with a problem."""

    def execute(self) -> None:
        code = CODES.get(self.request.error.code, "malformed_request")
        detail = f"The body may have at most {LARGEST_BODY} bytes." if code == CODES[413] else self.request.detail
        id = request_id({"HTTP_X_REQUEST_ID": self.request.headers.get("X_REQUEST_ID")})
        metrics.refusals.labels(code).inc()
        log.info("refused", code=code, client=self.channel.addr[0], request_id=id)
        self.refuse(Problem(code, detail), id)


class Channel(HTTPChannel):
    """One connection; `peer` is the network at its other end, a client's or a proxy's."""

    task_class, error_task_class, parser_class = Answering, Refusing, Parser
    # Start of a request's wait for a thread (monotonic).
    waiting_since = 0.0

    # Bytes of later requests, which are parsed after the response.
    rest = b""
    request: Parser | None

    def __init__(self, *given: Any, **options: Any) -> None:
        super().__init__(*given, **options)
        # Waitress reads so much of a waiting response at each try, also for a client that takes nothing.
        self.sendbuf_len = SENT_PIECE

    def recv(self, size: int) -> bytes:
        """Read a piece, a small one of chunks."""
        arriving = self.request
        return super().recv(CHUNKED_PIECE if arriving is not None and arriving.chunked else size)

    def received(self, data: bytes) -> None:
        """Parse one request of the bytes."""
        parser = None
        while data:
            parser = self.request = self.request or Parser(self.adj)
            super().received(data)
            data = parser.rest if parser.empty else b""
        self.rest = parser.rest if parser else b""

    def readable(self) -> bool:
        """Whether to read from the socket: not while many requests of its peer wait for a thread."""
        return bool(super().readable()) and not self.rest and not self.server.is_full(self)

    def handle_read(self) -> None:
        """Read, unless many requests of the peer wait by now."""
        if not self.server.is_full(self):
            super().handle_read()

    def service(self) -> None:
        metrics.turns.observe(time.monotonic() - self.waiting_since)
        # The request's own: the loop, which sets `self.rest`, may still be behind this thread.
        rest = self.requests[0].rest
        super().service()
        if rest or not self.connected:
            # Wakes the loop as waitress does; a lost connection may let others of this peer in.
            self.server.trigger.pull_trigger(lambda: self.received(self.rest))

    @property
    def client(self) -> str:
        """The client's network, as for limits."""
        forwarded = self.requests[0].headers.get("X_FORWARDED_FOR", "")
        return address({"REMOTE_ADDR": self.addr[0], "HTTP_X_FORWARDED_FOR": forwarded}, self.server.proxies)

    @property
    def party(self) -> str:
        """The organization of a valid token, else a beginning of the path: they take turns for threads."""
        request = self.requests[0]
        organization_id = self.server.organization_of(request.headers.get("AUTHORIZATION"))
        if organization_id is not None:
            return str(organization_id)
        return next((beginning for beginning in APART if request.path.startswith(beginning)), "")

    @functools.cached_property
    def peer(self) -> str:
        return address({"REMOTE_ADDR": self.addr[0]}, 0)

    def write_soon(self, data: bytes | ReadOnlyFileBasedBuffer) -> int:
        """Send a piece or file; returns its size."""
        # The request may have taken long: only now the client is idle.
        self.last_activity = time.time()
        size = len(data) if isinstance(data, bytes) else 0
        # Waitress would copy it first, to disk if it is large.
        with self.outbuf_lock, contextlib.suppress(OSError):
            if size and self.connected and not self.total_outbufs_len:
                data = data[self.send(data, do_close=False) :]
        super().write_soon(data)
        return size

    def is_busy(self, arriving: bool) -> bool:
        """Whether a request runs or a response leaves; `arriving` includes partial requests and new connections."""
        is_new = self.last_activity == self.creation_time
        return bool(self.requests or self.total_outbufs_len or (arriving and (is_new or self.request is not None)))
