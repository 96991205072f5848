"""The endpoints for personal data."""

from typing import Any

from pipeline.api.resource import Resource
from pipeline.api.streams import Stream
from pipeline.http.fairness.slots import EXPORT
from pipeline.http.request import Request
from pipeline.http.security import ADMIN
from pipeline.leads.personal import erasure, shapes
from pipeline.leads.personal.file import personal_data
from pipeline.validation import Body, Text, Values, required


class Erasure(Body):
    """The lead's email address, or without one its name."""

    confirm = required(Text(max_length=511))


data = Resource("/leads/{id}/personal-data", "All personal data of a lead")
erasures = Resource("/leads/{id}/erase", "Erase the personal data of a lead")


@data.get(
    access=ADMIN,
    further_scopes=("interviews:read", "contracts:read", "records:read"),
    answer=shapes.PERSONAL_DATA,
    heavy=EXPORT,
    streams=True,
)
def get_personal_data(request: Request, id: int) -> Stream | None:
    return personal_data(id)


# Not replayable, because the stored response could name the person.
@erasures.post(
    access=ADMIN,
    further_scopes=("interviews:write", "contracts:write", "records:write"),
    body=Erasure(),
    answer=shapes.ERASED,
    replayable=False,
    heavy=EXPORT,
)
def erase_person(request: Request, id: int, body: Values) -> dict[str, Any] | None:
    return erasure.erase(id, body["confirm"])
