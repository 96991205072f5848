"""The interview endpoints for prospects, on the forms login."""

from pipeline import limits
from pipeline.interviews import public_service, schemas
from pipeline.resource import Resource
from pipeline.security import PUBLIC

interview = Resource("/public/interview/{token}", "The interview of an invite")
submission = Resource("/public/interview/{token}/submit", "Submit an interview")


@interview.get(access=PUBLIC, limit=limits.PUBLIC_FORMS)
def get_interview(request, token):
    request.transaction.begin(request.registry.forms)
    return public_service.get_interview(token)


@interview.patch(access=PUBLIC, body=schemas.Answers(), limit=limits.PUBLIC_FORMS)
def save_answers(request, token, body):
    request.transaction.begin(request.registry.forms)
    return public_service.save_answers(token, body["answers"])


@submission.post(
    access=PUBLIC, body=schemas.Answers(), limit=limits.PUBLIC_SUBMITS, opens=public_service.open_invite
)
def submit(request, token, body):
    request.transaction.begin(request.registry.forms)
    return public_service.submit(token, body["answers"])
