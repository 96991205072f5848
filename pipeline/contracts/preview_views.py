"""What a contract template would print, for those who write it."""

from pyramid.response import Response

from pipeline.contracts import previews, schemas
from pipeline.contracts.renditions import render_now
from pipeline.documents import PDF
from pipeline.files import disposition
from pipeline.files.content import MEDIA_TYPES
from pipeline.http.request import Request
from pipeline.http.resource import Resource
from pipeline.http.security import ADMIN
from pipeline.http.slots import DOCUMENT, hold
from pipeline.validation import Values

preview = Resource("/contract-templates/preview", "What a contract template would print")


@preview.post(
    access=ADMIN, body=schemas.Preview(), gives=MEDIA_TYPES[PDF], replayable=False, fails=("document_too_complex",)
)
def preview_contract_template(request: Request, body: Values) -> Response:
    hold(request, DOCUMENT)
    document = previews.prepare(body)
    # No connection waits for the renderer.
    request.transaction.end(commit=True)
    response = Response(body=render_now(PDF, document), content_type=MEDIA_TYPES[PDF])
    response.headers["Content-Disposition"] = disposition("preview.pdf")
    return response
