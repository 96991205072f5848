"""The answers of an invite as a file, for an organization's people."""

from pyramid.response import Response

from pipeline.files import disposition
from pipeline.forms.responses_table import responses_table
from pipeline.http.resource import Resource
from pipeline.security import MEMBER

CSV = "text/csv"

table = Resource("/interview-invites/{id}/responses.csv", "The answers of an invite as a CSV file")


@table.get(access=MEMBER, gives=CSV)
def export_interview_responses(request, id):
    content = responses_table(id)
    if content is None:
        return None
    response = Response(content)
    response.headers["Content-Type"] = f"{CSV}; charset=utf-8; header=present"
    response.headers["Content-Disposition"] = disposition(f"responses-{id}.csv")
    return response
