"""`/docs/errors`: what every problem's `type` points to, generated from the enumeration of codes."""

from html import escape

from pyramid.response import Response

from pipeline.problems import CODES
from pipeline.security import PUBLIC

PAGE = """<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>Errors of the Pipeline API</title>
<h1>Errors</h1>
<p>Every failure is a document of type <code>application/problem+json</code> (RFC 9457). Its <code>code</code> is one of
these words and stays what it is; <code>detail</code> is for people. A <code>validation_failed</code> lists every invalid
place in <code>errors</code>. Name the <code>request_id</code> when you ask for help.</p>
<table>
<thead><tr><th scope="col">Code</th><th scope="col">Status</th><th scope="col">Meaning</th></tr></thead>
<tbody>
{rows}
</tbody>
</table>
</html>
"""
ROW = '<tr id="{code}"><td><code>{code}</code></td><td>{status}</td><td>{title}</td></tr>'


def errors(request):
    """The page of all error codes."""
    rows = (ROW.format(code=code, status=status, title=escape(title)) for code, (status, title) in CODES.items())
    return Response(PAGE.format(rows="\n".join(rows)), content_type="text/html", charset="utf-8")


def includeme(config):
    """Add the page."""
    config.add_route("errors", "/docs/errors", request_method=("GET", "HEAD"))
    config.add_view(errors, route_name="errors", permission=PUBLIC)
