"""What is held about a lead's person: the file, and its end."""

from pyramid.response import Response

from pipeline.http.ingress import JSON
from pipeline.http.resource import Resource
from pipeline.http.security import ADMIN
from pipeline.http.slots import EXPORT
from pipeline.personal import erasure, schemas, shapes
from pipeline.personal.file import personal_data

data = Resource("/leads/{id}/personal-data", "All that is held about a lead's person")
erasures = Resource("/leads/{id}/erase", "Erase a lead's person")


@data.get(access=ADMIN, answer=shapes.PERSONAL_DATA, heavy=EXPORT)
def get_personal_data(request, id):
    chunks = personal_data(id, request.transaction, request.slot)
    if chunks is None:
        return None
    response = Response(app_iter=chunks)
    response.headers["Content-Type"] = JSON
    response.headers["Content-Disposition"] = f'attachment; filename="personal-data-lead-{id}.json"'
    return response


# Not replayable: the answer may name the person, and must not be kept.
@erasures.post(access=ADMIN, body=schemas.Erasure(), answer=shapes.ERASED, replayable=False, heavy=EXPORT)
def erase_person(request, id, body):
    return erasure.erase(id, body["confirm"])
