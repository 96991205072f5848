"""A collector of OpenTelemetry: an HTTP server for OTLP in protobuf messages."""

import gzip
import http.server
import threading

from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import (
    ExportTraceServiceRequest,
    ExportTraceServiceResponse,
)


class Collector:
    """Takes spans on a port of loopback: `spans` are (service, span) as they have arrived. A context manager."""

    def __init__(self):
        self.spans, self.refused = [], []
        collector = self

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_POST(self):
                body = self.rfile.read(int(self.headers["Content-Length"]))
                if (self.path, self.headers["Content-Type"]) != ("/v1/traces", "application/x-protobuf"):
                    collector.refused.append(self.path)
                    self.send_error(400)
                    return
                packed = self.headers.get("Content-Encoding") == "gzip"
                collector.take(ExportTraceServiceRequest.FromString(gzip.decompress(body) if packed else body))
                answer = ExportTraceServiceResponse().SerializeToString()
                self.send_response(200)
                self.send_header("Content-Type", "application/x-protobuf")
                self.send_header("Content-Length", str(len(answer)))
                self.end_headers()
                self.wfile.write(answer)

            def log_message(self, *_words):
                """Say nothing."""

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self.server.server_port}"

    def __enter__(self):
        threading.Thread(target=self.server.serve_forever, daemon=True).start()
        return self

    def __exit__(self, *_error):
        self.server.shutdown()
        self.server.server_close()

    def take(self, request):
        """Keep the spans of a message."""
        for resource in request.resource_spans:
            told = {pair.key: pair.value.string_value for pair in resource.resource.attributes}
            for scope in resource.scope_spans:
                self.spans.extend((told["service.name"], span) for span in scope.spans)

    def named(self, service, name):
        """The last span of a service with this name, or None."""
        return next((span for told, span in reversed(self.spans) if (told, span.name) == (service, name)), None)
