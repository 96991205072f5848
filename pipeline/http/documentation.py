"""What a client's author reads: `/docs`, `/docs/errors` and `/openapi.json`, generated from what is enforced, and `/`.

Anybody may ask for them, and nothing in them changes while a process lives: each is made once, when it is first wanted.
"""

from html import escape
from threading import Lock

from pyramid.response import Response

from pipeline.database import dumps
from pipeline.errors import CODES
from pipeline.http import entity_tags
from pipeline.http.openapi import document
from pipeline.security import PUBLIC

PAGE = """<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>{title}</title>
<style>
table {{ border-collapse: collapse }}
th, td {{ padding: 0.2em 0.8em 0.2em 0; text-align: start; vertical-align: top }}
.long {{ overflow-wrap: anywhere }}
</style>
<h1>{title}</h1>
{text}
<table>
<thead><tr>{heads}</tr></thead>
<tbody>
{rows}
</tbody>
</table>
</html>
"""
HTML = "text/html; charset=utf-8"
OVERVIEW = """<p class="long">The exact description is the <a href="/openapi.json">OpenAPI document</a>. Log in with
<code>POST /api/auth/login</code> and send <code>Authorization: Bearer &lt;access token&gt;</code>. Failures are
<a href="/docs/errors">explained here</a>.</p>"""
FAILURES = """<p class="long">Every failure is a document of type <code>application/problem+json</code> (RFC 9457). Its
<code>code</code> is one of these words and stays what it is; <code>detail</code> is for people. A
<code>validation_failed</code> lists every invalid place in <code>errors</code>. Name the <code>request_id</code> when
you ask for help.</p>"""


class Made:
    """A view that answers what `make(registry)` gives, bytes of a media type, with their entity tag."""

    def __init__(self, make, media_type):
        self.make, self.media_type, self.lock, self.made = make, media_type, Lock(), None

    def __call__(self, _context, request):
        with self.lock:  # many at once make it once
            if self.made is None:
                body = self.make(request.registry)
                self.made = body, entity_tags.tag_of(body)
        body, tag = self.made
        response = Response(body=body, content_type=self.media_type, charset=None, etag=tag)
        return entity_tags.unless_known(request, response)


def openapi(registry):
    """The OpenAPI document as bytes."""
    return dumps(document(registry))


def docs(registry):
    """A table of all endpoints, as the bytes of a page."""
    rows = [
        f'<tr><td><code>{method.upper()}</code></td><td class="long"><code>{escape(path)}</code></td>'
        f"<td>{escape(operation['summary'])}</td></tr>"
        for path, operations in document(registry)["paths"].items()
        for method, operation in operations.items()
    ]
    return page("The Pipeline API", OVERVIEW, ("Method", "Path", "What it does"), rows)


def errors(_registry):
    """A table of all error codes, as the bytes of a page; each problem's `type` points to its row."""
    rows = [
        f'<tr id="{code}"><td class="long"><code>{code}</code></td><td>{status}</td><td>{escape(title)}</td></tr>'
        for code, (status, title) in CODES.items()
    ]
    return page("Errors of the Pipeline API", FAILURES, ("Code", "Status", "Meaning"), rows)


def page(title, text, columns, rows):
    """An HTML page with one table, as bytes."""
    heads = "".join(f'<th scope="col">{column}</th>' for column in columns)
    return PAGE.format(title=title, text=text, heads=heads, rows="\n".join(rows)).encode()


def index(_registry):
    """Where things are, as the bytes of a JSON object."""
    return dumps(
        {
            "service": "Pipeline",
            "documentation": "/docs",
            "openapi": "/openapi.json",
            "api": "/api",
            "login": "/api/auth/login",
            "health": "/healthz",
        }
    )


def includeme(config):
    """Add the four routes."""
    for name, path, make, media_type in (
        ("index", "/", index, "application/json"),
        ("openapi", "/openapi.json", openapi, "application/json"),
        ("docs", "/docs", docs, HTML),
        ("errors", "/docs/errors", errors, HTML),
    ):
        config.add_route(name, path, request_method=("GET", "HEAD"))
        config.add_view(Made(make, media_type), route_name=name, permission=PUBLIC)
