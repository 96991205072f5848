"""The load generator: keep-alive HTTP/1.1 connections in a closed loop, in a process of its own.

    python -m bench.load < spec

The spec is JSON: `port`, `seconds` (measured), `warmup` (seconds before), and `connections`: for each connection the
list of its raw requests (text), sent in turn. Prints JSON: `requests`, `seconds`, `p50` and `p99` (milliseconds),
`errors` (responses other than 2xx) and the first of them. It uses raw sockets and one selector, because a client
library costs more than the measured server.
"""

import json
import re
import selectors
import socket
import sys
import time

_LENGTH = re.compile(rb"\r\ncontent-length: *(\d+)", re.IGNORECASE)


class Connection:
    """A client that sends the next request after each complete response."""

    def __init__(self, port, requests):
        self.socket = socket.create_connection(("127.0.0.1", port), timeout=10)
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.requests, self.turn = [text.encode() for text in requests], 0
        self.buffer, self.expected = b"", None

    def send(self):
        """Send the next request."""
        self.turn = (self.turn + 1) % len(self.requests)
        self.buffer, self.expected = b"", None
        self.sent = time.perf_counter()
        self.socket.sendall(self.requests[self.turn])

    def receive(self):
        """Read the available bytes; the response's bytes, or None while it is incomplete."""
        chunk = self.socket.recv(262_144)
        if not chunk:
            raise ConnectionError("The server closed a connection.")
        self.buffer += chunk
        if self.expected is None and (end := self.buffer.find(b"\r\n\r\n")) >= 0:
            length = _LENGTH.search(self.buffer, 0, end)
            self.expected = end + 4 + int(length[1])
        return self.buffer if self.expected == len(self.buffer) else None


def run(connections, seconds):
    """Latencies in seconds of the responses within `seconds`, and the responses other than 2xx."""
    selector = selectors.DefaultSelector()
    for connection in connections:
        selector.register(connection.socket, selectors.EVENT_READ, connection)
        connection.send()
    latencies, errors, open_requests = [], [], len(connections)
    end = time.perf_counter() + seconds
    while open_requests:
        for key, _ in selector.select():
            answer = key.data.receive()
            if answer is None:
                continue
            now = time.perf_counter()
            if not answer.startswith(b"HTTP/1.1 2"):
                errors.append(answer)
            if now < end:
                latencies.append(now - key.data.sent)
                key.data.send()
            else:
                open_requests -= 1
    selector.close()
    return latencies, errors


def main():
    """Read the spec, run it and print the result."""
    spec = json.load(sys.stdin)
    connections = [Connection(spec["port"], requests) for requests in spec["connections"]]
    if spec["warmup"]:
        run(connections, spec["warmup"])
    print("ready", flush=True)
    latencies, errors = run(connections, spec["seconds"])
    latencies.sort()
    count = len(latencies)
    print(
        json.dumps(
            {
                "requests": count,
                "p50": latencies[count // 2] * 1000 if count else None,
                "p99": latencies[min(count - 1, count * 99 // 100)] * 1000 if count else None,
                "errors": len(errors),
                "first_error": errors[0].decode("utf-8", "replace") if errors else None,
            }
        )
    )


if __name__ == "__main__":
    main()
