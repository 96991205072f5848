"""Downloads of an invite's answers."""

from pyramid.response import Response

from pipeline.api.exports.csv_export import CONTENT_TYPE, DELIMITERS, MEDIA_TYPE
from pipeline.api.resource import Resource
from pipeline.api.streams import Stream
from pipeline.contracts.renditions import render_now
from pipeline.documents import PDF, Document
from pipeline.files import attachment
from pipeline.files.content import MEDIA_TYPES, XLSX
from pipeline.forms.answers.export import csv_export, xlsx_export
from pipeline.forms.answers.paper import paper
from pipeline.forms.answers.table import responses_table
from pipeline.http.fairness.slots import DOCUMENT, EXPORT, PAGE, hold
from pipeline.http.request import Request
from pipeline.http.security import ADMIN, MEMBER
from pipeline.interviews.schemas import STATUSES
from pipeline.validation import Choice, Choices, Date, Query, Values, optional

table = Resource("/interview-invites/{id}/responses.csv", "The answers of an invite as a CSV file")
printed = Resource("/interview-invites/{id}/responses.pdf", "The answers of an invite as PDF")
every_table = Resource("/interview-templates/{id}/responses.csv", "All responses of a template as a CSV file")
every_sheet = Resource("/interview-templates/{id}/responses.xlsx", "All responses of a template as a workbook")

# `from` is a keyword, so a class statement cannot declare it.
_RESPONSES = {
    "from": optional(Date()),
    "to": optional(Date()),
    "status": optional(Choices(*STATUSES), default=["submitted"]),
    "values": optional(Choice("labels", "keys"), default="labels"),
}
Responses = type("Responses", (Query,), _RESPONSES)
DelimitedResponses = type(
    "DelimitedResponses", (Query,), {**_RESPONSES, "delimiter": optional(Choice(*DELIMITERS), default=",")}
)


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


@every_table.get(access=ADMIN, query=DelimitedResponses(), gives=MEDIA_TYPE, heavy=EXPORT, streams=True)
def export_template_responses(request: Request, id: int, query: Values) -> Stream | None:
    return csv_export(id, query, DELIMITERS[query["delimiter"]])


@every_sheet.get(access=ADMIN, query=Responses(), gives=XLSX, heavy=EXPORT, streams=True)
def export_template_workbook(request: Request, id: int, query: Values) -> Stream | None:
    return xlsx_export(id, query)
