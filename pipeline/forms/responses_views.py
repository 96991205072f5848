"""Downloads of an invite's answers."""

from pyramid.response import Response

from pipeline.contracts.renditions import render_now
from pipeline.documents import PDF
from pipeline.files import attachment
from pipeline.files.content import MEDIA_TYPES
from pipeline.forms.paper import paper
from pipeline.forms.responses_table import responses_table
from pipeline.http.request import Request
from pipeline.http.resource import Resource
from pipeline.http.security import MEMBER
from pipeline.http.slots import DOCUMENT, PAGE, hold

CSV = "text/csv"

table = Resource("/interview-invites/{id}/responses.csv", "The answers of an invite as a CSV file")
printed = Resource("/interview-invites/{id}/responses.pdf", "The answers of an invite as PDF")


@table.get(access=MEMBER, gives=CSV, heavy=PAGE)
def export_interview_responses(request: Request, id: int) -> Response | None:
    content = responses_table(id)
    return content and attachment(content, f"{CSV}; charset=utf-8; header=present", f"responses-{id}.csv")


@printed.get(access=MEMBER, gives=MEDIA_TYPES[PDF], fails=("document_too_complex",))
def print_interview_responses(request: Request, id: int) -> Response | None:
    hold(request, DOCUMENT)
    document = paper(id)
    if document is None:
        return None
    # Frees the connection before rendering.
    request.transaction.end(commit=True)
    return attachment(render_now(PDF, document), MEDIA_TYPES[PDF], f"responses-{id}.pdf")
