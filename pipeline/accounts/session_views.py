"""The endpoints of a person's sessions."""

from pipeline.accounts import schemas, sessions, shapes
from pipeline.http.pagination import Page
from pipeline.http.request import Request
from pipeline.http.resource import Resource
from pipeline.http.security import MEMBER
from pipeline.http.shapes import ListOf
from pipeline.validation import Values

all_sessions = Resource("/auth/sessions", "The caller's sessions")
session = Resource("/auth/sessions/{id}", "A session of the caller")


@all_sessions.get(access=MEMBER, query=schemas.Sessions(), answer=ListOf(shapes.SESSION))
def list_sessions(request: Request, query: Values) -> Page | None:
    return sessions.list_sessions(request.caller, query)


@all_sessions.delete(access=MEMBER)
def end_other_sessions(request: Request) -> bool:
    return sessions.end_others(request.caller)


@session.delete(access=MEMBER)
def end_session(request: Request, id: int) -> object:
    return sessions.end_session(request.caller, id)
