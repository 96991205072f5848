"""Downloads of an invite's answers."""

from pyramid.response import Response

from pipeline.contracts.renditions import render_now
from pipeline.documents import PDF, Document
from pipeline.files import attachment
from pipeline.files.content import MEDIA_TYPES
from pipeline.forms.paper import paper
from pipeline.forms.responses_table import responses_table
from pipeline.http.core.request import Request
from pipeline.http.core.security import MEMBER
from pipeline.http.endpoints.csv_export import CONTENT_TYPE, MEDIA_TYPE
from pipeline.http.endpoints.resource import Resource
from pipeline.http.quotas.slots import DOCUMENT, PAGE, hold

table = Resource("/interview-invites/{id}/responses.csv", "The answers of an invite as a CSV file")
printed = Resource("/interview-invites/{id}/responses.pdf", "The answers of an invite as PDF")


@table.get(access=MEMBER, gives=MEDIA_TYPE, heavy=PAGE)
def export_interview_responses(request: Request, id: int) -> Response | None:
    content = responses_table(id)
    return content and attachment(content, CONTENT_TYPE, f"responses-{id}.csv")


def printed_file(prepared: tuple[Document, str]) -> Response:
    document, filename = prepared
    return attachment(render_now(PDF, document), MEDIA_TYPES[PDF], filename)


@printed.get(access=MEMBER, gives=MEDIA_TYPES[PDF], fails=("document_too_complex",), renders=printed_file)
def print_interview_responses(request: Request, id: int) -> tuple[Document, str] | None:
    hold(request, DOCUMENT)
    document = paper(id)
    return document and (document, f"responses-{id}.pdf")
