"""The merge tags for those who write contract templates."""

from pyramid.response import Response

from pipeline.contracts import shapes, tag_reference
from pipeline.contracts.merge import catalogue
from pipeline.files import disposition
from pipeline.files.content import PDF
from pipeline.http.resource import Resource
from pipeline.http.security import ADMIN
from pipeline.http.shapes import Data

tags = Resource("/contract-templates/tags", "The merge tags of contract templates")
tags_pdf = Resource("/contract-templates/tags/pdf", "The merge tags of contract templates as a PDF")


@tags.get(access=ADMIN, answer=Data(shapes.TAG_GROUP))
def list_merge_tags(request):
    return {"data": catalogue()}


@tags_pdf.get(access=ADMIN, gives=PDF)
def get_merge_tags_pdf(request):
    request.transaction.end(commit=True)
    response = Response(body=tag_reference.pdf(), content_type=PDF)
    response.headers["Content-Disposition"] = disposition("merge-tags.pdf")
    return response
