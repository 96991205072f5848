"""The endpoint of the change feed."""

from pipeline.changes import schemas, service, shapes
from pipeline.http.resource import Resource
from pipeline.http.security import MEMBER

changes = Resource("/changes", "What was made, changed and deleted")


@changes.get(access=MEMBER, query=schemas.Feed(), answer=shapes.FEED, fails=("cursor_expired",))
def follow_changes(request, query):
    return service.feed(**query)
