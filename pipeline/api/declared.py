"""Endpoints for a kind of record, answered by its statements.

    teams = Records("/teams", "team", write=ADMIN, body=Team())
    teams.list("list_teams")
    teams.create("create_team")
    teams.get("get_team")
    teams.update("update_team", "patch_team")
    teams.delete("delete_team")

The statements are team_list, team_insert, team_get, team_update and team_delete. Marks in team_list define filters and
orders. A function in place of a statement is passed as `by`. Statements of a kind with batches take rows and ids.
"""

import functools
from collections.abc import Callable, Mapping
from typing import Any

from colander import SchemaNode

from pipeline.api.batches import batches
from pipeline.api.batches.bodies import BatchOptions, batch_of
from pipeline.api.batches.references import ACTIVE_SEAT, unknown_references
from pipeline.api.fields.own_fields import definitions_of
from pipeline.api.fields.own_filters import asked
from pipeline.api.pagination import ListPage, Paged, list_page, list_query
from pipeline.api.resource import Resource
from pipeline.api.responses import ViewResult
from pipeline.api.shapes import ListOf, Record
from pipeline.database import Row, dumps, queries
from pipeline.database.queries import NamedQuery
from pipeline.http.request import Request, View
from pipeline.http.security import MEMBER
from pipeline.validation import Body, Invalid, Type, Values, invalid_field

# Operations that need no function.
STATEMENTS: set[str] = set()


class Records:
    """A kind of record; `all` and `one` are the Resources of its path and of one record."""

    def __init__(
        self,
        # Below /api.
        path: str,
        # The prefix of the statements; an insert's created_by gets the caller's id.
        kind: str,
        *,
        # Of its scopes, unless the first segment of the path tells it.
        area: str | None = None,
        # The body of POST, PUT and PATCH.
        body: Body | None = None,
        # Access to GET, and to other methods.
        read: str = MEMBER,
        write: str = MEMBER,
        # The response, if columns do not suffice.
        shows: Record | None = None,
        # Failure codes of POST, PUT and PATCH, and their query, which the body's check sees.
        fails: tuple[str, ...] = (),
        asks: Body | None = None,
        # The id in the path, and a function of the request and the ids with parameters for all statements.
        item: str = "id",
        given: Callable[..., Values] = lambda request: {},
    ) -> None:
        self.path, self.kind, self.area, self.body, self.item = path, kind, area, body or Body(), item
        self.reads, self.writes, self.fails, self.asks = read, write, fails, asks
        self.shows = shows or Record(kind)
        self.given = given
        self.seats = [node.name for node in self.body.children if getattr(node.typ, "of", None) == "seat"]

    @functools.cached_property
    def all(self) -> Resource:
        return Resource(self.path, f"All of {self.kind}", self.area)

    @functools.cached_property
    def one(self) -> Resource:
        return Resource(f"{self.path}/{{{self.item}}}", self.kind, self.area)

    def list(
        self,
        operation: str,
        *,
        filters: Mapping[str, Type | SchemaNode] | None = None,
        query: Body | None = None,
        paged: type[Paged] = Paged,
        by: Callable[..., ListPage | None] | None = None,
    ) -> None:
        """GET of a page; `by(caller, query)`.

        filters: types of filters; `query` replaces the query, `paged` its base.
        """

        def view(request: Request, query: Values, **ids: int) -> ListPage | None:
            if by:
                return by(request.caller, query)
            own = definitions_of(self.body)
            query = asked(own.kind, query) if own else query
            return list_page(query, self._statement("list"), **self.given(request, **ids))

        self._need(by, "list")
        query = query or list_query(self._statement("list"), paged, **(filters or {}))
        self.all.get(access=self.reads, query=query, answer=ListOf(self.shows))(_named(view, operation))

    def create(
        self,
        operation: str,
        *,
        body: Body | None = None,
        by: Callable[..., int] | None = None,
        beside: Callable[[int], dict[str, object]] | None = None,
        answer: Record | None = None,
    ) -> None:
        """POST; `by(caller, body)` returns the id, `beside(id)` members that the `answer` has beside the record."""

        def view(request: Request, body: Values, query: Values | None = None, **ids: int) -> bytes | ViewResult | None:
            given = self.given(request, **ids)
            id = by(request.caller, body) if by else self._insert(request, body, given)
            shown = self._shown(id, given)
            return ViewResult(shown, 201, beside(id)) if beside else shown

        self._need(by, "insert")
        register = self.all.post(
            access=self.writes,
            body=body or self.body,
            query=self.asks,
            creates=True,
            answer=answer or self.shows,
            fails=self.fails,
        )
        register(_named(view, operation))

    def get(self, operation: str) -> None:

        def view(request: Request, **ids: int) -> bytes | None:
            id = ids.pop(self.item)
            return self._shown(id, self.given(request, **ids))

        self._need(None, "get")
        self.one.get(access=self.reads, answer=self.shows)(_named(view, operation))

    def update(self, operation: str, patch: str, *, by: Callable[..., object] | None = None) -> None:
        """PUT, and PATCH as the operation `patch`; `by(caller, id, body)`."""

        def view(request: Request, body: Values, query: Values | None = None, **ids: int) -> bytes | None:
            id = ids.pop(self.item)
            given = self.given(request, **ids)
            if by:
                by(request.caller, id, body)
            else:
                self._check_seats(id, body, given)
                self._settle(body, lambda: self._statement("get")(id=id, **given), request.method == "PATCH")
                self._write("update", {"id": id, **body}, given)
            return self._shown(id, given)

        self._need(by, "update")
        register = self.one.change(
            patch, access=self.writes, body=self.body, query=self.asks, answer=self.shows, fails=self.fails
        )
        register(_named(view, operation))

    def delete(
        self, operation: str, *, by: Callable[..., int | None] | None = None, fails: tuple[str, ...] = ()
    ) -> None:
        """DELETE; `by(caller, id)` returns how many."""

        def view(request: Request, **ids: int) -> int | None:
            id = ids.pop(self.item)
            if by:
                return by(request.caller, id)
            statement = self._statement("delete")
            return (
                statement(ids=[id]) if "ids" in statement.parameters else statement(id=id, **self.given(request, **ids))
            )

        self._need(by, "delete")
        self.one.delete(access=self.writes, fails=("in_use", *fails))(_named(view, operation))

    def batch(self, operation: str) -> None:
        """POST of {path}/batch."""
        kind = batches.BatchKind(self.kind, self.body, self.shows)

        def view(request: Request, query: Values, body: Values) -> bytes:
            return batches.perform(kind, request, body, query["on_unknown"] == "skip")

        self._need(None, "batch_lock")
        taken, answer = batch_of(self.body, self.shows)
        resource = Resource(f"{self.path}/batch", f"Several of {self.kind}", self.area)
        fails = ("external_id_taken", "in_use")
        resource.post(access=self.writes, query=BatchOptions(), body=taken, answer=answer, fails=fails)(
            _named(view, operation)
        )

    def _need(self, by: object, name: str) -> None:
        """Note the statement of an endpoint without a function; raises AttributeError for a missing one."""
        if by is None:
            STATEMENTS.update(self._statement(needed).name for needed in (name, "get"))

    def _insert(self, request: Request, body: Values, given: Values) -> int:
        self._check_seats(None, body, given)
        self._settle(body)
        author = {"created_by": request.caller.user_id} if "created_by" in self._statement("insert").parameters else {}
        made = self._write("insert", body, author | given)
        return made[0]["id"] if isinstance(made, list) else made

    def _write(self, name: str, values: Values, given: Values) -> Any:
        statement = self._statement(name)
        if "rows" in statement.parameters:
            return statement(rows=dumps([self.body.columns(values)]).decode())
        return statement(**values, **given)

    def _settle(self, body: Values, shown: Callable[[], Row | None] = lambda: None, patched: bool = False) -> None:
        """Completes the body's own fields, if its kind has them; raises 422."""
        own = definitions_of(self.body)
        if own and (violations := own.settle(body, lambda: (shown() or {}).get("fields"), patched)):
            raise Invalid(violations)

    def _check_seats(self, id: int | None, body: Values, given: Values) -> None:
        """Raises 422 for a user without an active seat, except the one whom the record has already."""
        named = {name: [ACTIVE_SEAT, body[name]] for name in self.seats if body[name] is not None}
        if not named:
            return
        for field in unknown_references(named):
            shown = self._statement("get")(id=id, **given) or {}
            if body[field] != shown.get(field):
                raise invalid_field(field, "unknown_reference", "No active seat has this id.")

    def _shown(self, id: int, given: Values) -> bytes | None:
        return self._statement("get").json(id=id, **given)

    def _statement(self, name: str) -> NamedQuery:
        return getattr(queries, f"{self.kind}_{name}")


def _named(view: View, operation: str) -> View:
    view.__name__ = operation
    return view
