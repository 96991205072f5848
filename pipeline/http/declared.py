"""Endpoints for a kind of record from one declaration.

    teams, team = record("/teams", "team", "teams", write=ADMIN, body=Team())

GET and POST /teams, and GET, PUT, PATCH and DELETE /teams/{id} run the statements team_list, team_insert, team_get,
team_update and team_delete. Marks in team_list define filters and orders.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

from colander import SchemaNode

from pipeline.database import queries
from pipeline.database.queries import Query
from pipeline.http import batches
from pipeline.http.batch_bodies import batch_of
from pipeline.http.pagination import Page, Paged, list_page, list_query
from pipeline.http.request import Request, View
from pipeline.http.resource import Resource, named
from pipeline.http.security import MEMBER
from pipeline.http.shapes import ListOf, Record
from pipeline.validation import Body, Type, Values

# Returns parameters for all statements.
Given = Callable[..., Values]
# {endpoint: suffix of its statement}.
ALL = {"list": "list", "create": "insert", "get": "get", "update": "update", "delete": "delete"}
STATEMENTS: set[str] = set()


def record(
    path: str,
    one: str,
    many: str,
    *,
    filters: Mapping[str, Type | SchemaNode] | None = None,
    query: Body | None = None,
    paged: type[Paged] = Paged,
    body: Body | None = None,
    new: Body | None = None,
    read: str = MEMBER,
    write: str = MEMBER,
    statements: str | None = None,
    offers: Sequence[str] = tuple(ALL),
    item: str = "id",
    verbs: Mapping[str, str] | None = None,
    given: Given | None = None,
    shows: Record | None = None,
    fails: tuple[str, ...] = (),
    stays: tuple[str, ...] = (),
    depth: int = 3,
    **decided: Callable[..., Any],
) -> tuple[Resource, Resource]:
    """(collection Resource, item Resource) of a kind of record.

    path: below /api.
    one, many: names in operations: `get_team`, `list_teams`.
    filters: types of list filters; `query` replaces the query, `paged` its base.
    body: of PUT, PATCH and, without `new`, POST.
    read, write: access to GET, and to other methods.
    statements: the prefix of their names, by default `one`; an insert's created_by gets the caller's id.
    offers: endpoints from ALL; `verbs` renames them: {"create": "add"}.
    item: the id in the path; `given(request, **ids)` returns parameters for all statements.
    shows: the response's Record, if columns do not suffice.
    fails, stays: failure codes of writes, and of DELETE.
    decided: functions in place of statements: list(caller, query) → Page, create(caller, body) → id,
        delete(caller, id) → count, update(caller, id, body); check(id, body) runs before a statement, with id None
        for a new record.
    depth: as of Resource, plus one.
    """
    kind = _Kind(statements or one, item, given or (lambda request: {}), _Decided(**decided))
    STATEMENTS.update(kind.needed(offers))
    shows = shows or Record(kind.statements)
    if query is None and "list" in offers:
        query = list_query(getattr(queries, f"{kind.statements}_list"), paged, **(filters or {}))
    all, single = Resource(path, many, depth), Resource(f"{path}/{{{item}}}", one, depth)
    endpoints: dict[str, tuple[Callable[[View], View], View, str]] = {
        "list": (all.get(access=read, query=query, answer=ListOf(shows)), kind.list, many),
        "create": (all.post(access=write, body=new or body, creates=True, answer=shows, fails=fails), kind.create, one),
        "get": (single.get(access=read, answer=shows), kind.get, one),
        "update": (single.change(access=write, body=body, answer=shows, fails=fails), kind.update, one),
        "delete": (single.delete(access=write, fails=("in_use", *stays)), kind.delete, one),
    }
    for offer in offers:
        register, view, noun = endpoints[offer]
        register(named(view, f"{(verbs or {}).get(offer, offer)}_{noun}"))
    if "get" not in offers and kind.is_read(offers):
        single.current(kind.get)
    return all, single


def batch(
    path: str, one: str, many: str, *, body: Body, shows: Record | None = None, write: str = MEMBER, depth: int = 3
) -> Resource:
    """The Resource of POST {path}/batch; parameters as of `record`."""
    kind = batches.Kind(one, body, shows or Record(one))
    STATEMENTS.update(kind(f"batch_{name}").name for name in batches.STATEMENTS)
    resource = Resource(f"{path}/batch", f"Several {many}", depth)
    taken, answer = batch_of(body, kind.shows)

    def view(request: Request, body: Values) -> bytes:
        return batches.perform(kind, request, body)

    fails = ("external_id_taken", "in_use")
    resource.post(access=write, body=taken, answer=answer, fails=fails)(named(view, f"batch_{many}"))
    return resource


class _Decided(NamedTuple):
    list: Callable[..., Any] | None = None
    create: Callable[..., Any] | None = None
    update: Callable[..., Any] | None = None
    delete: Callable[..., Any] | None = None
    check: Callable[..., Any] | None = None


class _Kind(NamedTuple):
    statements: str
    item: str
    given: Given
    decided: _Decided

    def is_read(self, offers: Sequence[str]) -> bool:
        return not {"create", "get", "update"}.isdisjoint(offers)

    def needed(self, offers: Sequence[str]) -> Sequence[str]:
        """The endpoints' statements; raises AttributeError for a missing one."""
        ends = [ALL[offer] for offer in offers if not getattr(self.decided, offer, None)]
        ends += ["get"] if self.is_read(offers) else []
        return [self._statement(end).name for end in ends]

    def list(self, request: Request, query: Values, **ids: int) -> Page | None:
        if self.decided.list:
            return self.decided.list(request.caller, query)
        return list_page(query, self._statement("list"), **self.given(request, **ids))

    def get(self, request: Request, **ids: int) -> bytes | None:
        id = ids.pop(self.item)
        return self._shown(id, self.given(request, **ids))

    def create(self, request: Request, body: Values, **ids: int) -> bytes | None:
        given = self.given(request, **ids)
        if self.decided.create:
            return self._shown(self.decided.create(request.caller, body), given)
        if self.decided.check:
            self.decided.check(None, body)
        statement = self._statement("insert")
        author = {"created_by": request.caller.user_id} if "created_by" in statement.parameters else {}
        return self._shown(statement(**body, **author, **given), given)

    def update(self, request: Request, body: Values, **ids: int) -> bytes | None:
        id = ids.pop(self.item)
        given = self.given(request, **ids)
        if self.decided.update:
            self.decided.update(request.caller, id, body)
        else:
            if self.decided.check:
                self.decided.check(id, body)
            self._statement("update")(id=id, **body, **given)
        return self._shown(id, given)

    def delete(self, request: Request, **ids: int) -> int | None:
        id = ids.pop(self.item)
        if self.decided.delete:
            return self.decided.delete(request.caller, id)
        return self._statement("delete")(id=id, **self.given(request, **ids))

    def _shown(self, id: int, given: Values) -> bytes | None:
        return self._statement("get").json(id=id, **given)

    def _statement(self, name: str) -> Query:
        return getattr(queries, f"{self.statements}_{name}")
