"""The endpoints of a person's sessions."""

from pipeline.accounts import schemas, sessions, shapes
from pipeline.http.resource import Resource
from pipeline.http.security import MEMBER
from pipeline.http.shapes import ListOf

all_sessions = Resource("/auth/sessions", "The caller's sessions")
session = Resource("/auth/sessions/{id}", "A session of the caller")


@all_sessions.get(access=MEMBER, query=schemas.Sessions(), answer=ListOf(shapes.SESSION))
def list_sessions(request, query):
    return sessions.list_sessions(request.caller, query)


@all_sessions.delete(access=MEMBER)
def end_other_sessions(request):
    return sessions.end_others(request.caller)


@session.delete(access=MEMBER)
def end_session(request, id):
    return sessions.end_session(request.caller, id)
