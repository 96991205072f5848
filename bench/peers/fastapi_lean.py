"""The leanest FastAPI that a team in a hurry for speed writes.

uvicorn with uvloop and httptools, psycopg's pool on asyncio in autocommit, rows as dicts. The token is verified and
trusted: no query reads the caller's seat. One join reads the name of the creator, who is always a user here.
"""

from contextlib import asynccontextmanager
from typing import Annotated, Any, NamedTuple

import jwt
from caller import DATABASE_URL, KEPT, NOTE, PER_PAGE, SORTS, TASK, WRITABLE, envelope, newest, read_token
from fastapi import Depends, FastAPI, Header, HTTPException, Query
from fastapi_models import LeadBody
from psycopg.rows import dict_row
from psycopg_pool import AsyncConnectionPool

COLUMNS = f"""
l.id, l.organization_id, {", ".join(f"l.{column}" for column in (*WRITABLE, *KEPT))},
concat_ws(' ', l.first_name, l.last_name) as name, l.company as company_name, null as assigned_to_name,
l.created_by, p.name as created_by_name, l.created_at, l.updated_at, 'user' as created_by_kind
"""
FROM = """
from app.leads l left join app.users p on p.id = l.created_by
where l.organization_id = %(organization_id)s
"""
SELECT = f"select {COLUMNS} {FROM}"
ONE = f"""
select {COLUMNS}, {newest("notes", NOTE, "note_entries", "note_count")}, {newest("tasks", TASK, "tasks", "task_count")}
{FROM} and l.id = %(id)s
"""
COUNT = "select count(*) as total from app.leads where organization_id = %(organization_id)s"
INSERT = f"""
insert into app.leads (organization_id, created_by, {", ".join(WRITABLE)})
values (%(organization_id)s, %(created_by)s, {", ".join(f"%({column})s" for column in WRITABLE)}) returning id
"""

pool = AsyncConnectionPool(
    DATABASE_URL, min_size=1, max_size=8, open=False, kwargs={"row_factory": dict_row, "autocommit": True}
)


@asynccontextmanager
async def lifespan(_app):
    """Open the pool with the application."""
    async with pool:
        yield


app = FastAPI(lifespan=lifespan)


class Caller(NamedTuple):
    """The caller's user and organization."""

    user_id: int
    organization_id: int


def caller(authorization: Annotated[str, Header()]) -> Caller:
    """The caller by a bearer token."""
    try:
        return Caller(*read_token(authorization))
    except jwt.InvalidTokenError:
        raise HTTPException(401) from None


Known = Annotated[Caller, Depends(caller)]


async def row(statement: str, values: dict[str, Any]) -> dict[str, Any] | None:
    """The only row of a statement."""
    async with pool.connection() as connection:
        return await (await connection.execute(statement, values)).fetchone()


@app.get("/api/leads")
async def list_leads(
    caller: Known, page: Annotated[int, Query(ge=1)] = 1, sort_by: str = "name", sort_dir: str = "ASC"
):
    """A page of leads with the total."""
    direction = "desc" if sort_dir == "DESC" else "asc"
    order = f"order by l.{SORTS[sort_by]} {direction}, l.id {direction} limit {PER_PAGE} offset %(offset)s"
    here = {"organization_id": caller.organization_id, "offset": (page - 1) * PER_PAGE}
    async with pool.connection() as connection:
        leads = await (await connection.execute(SELECT + order, here)).fetchall()
        counted = await (await connection.execute(COUNT, here)).fetchone()
    return envelope(leads, page, counted["total"])


@app.get("/api/leads/{id}")
async def get_lead(caller: Known, id: int):
    """One lead."""
    lead = await row(ONE, {"organization_id": caller.organization_id, "id": id})
    if lead is None:
        raise HTTPException(404)
    return lead


@app.post("/api/leads", status_code=201)
async def create_lead(caller: Known, body: LeadBody):
    """A new lead."""
    here = {"organization_id": caller.organization_id, "created_by": caller.user_id}
    made = await row(INSERT, {**here, **body.model_dump()})
    return await row(SELECT + "and l.id = %(id)s", here | made)
