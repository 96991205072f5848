"""FastAPI with hand-written SQL through psycopg's pool on asyncio."""

from contextlib import asynccontextmanager
from typing import Annotated, NamedTuple

import jwt
from caller import DATABASE_URL, KEPT, NOTE, PER_PAGE, SORTS, TASK, WRITABLE, envelope, newest, read_token
from fastapi import Depends, FastAPI, Header, HTTPException, Query
from fastapi_models import LeadBody, LeadPage, OneLead
from psycopg import AsyncConnection
from psycopg.rows import dict_row
from psycopg_pool import AsyncConnectionPool

COLUMNS = f"""
l.id, l.organization_id, {", ".join(f"l.{column}" for column in (*WRITABLE, *KEPT))},
concat_ws(' ', l.first_name, l.last_name) as name, l.company as company_name, u.name as assigned_to_name,
l.created_by, coalesce(p.name, k.name) as created_by_name, l.created_at, l.updated_at,
case when l.created_by_form then 'prospect' when k.id is not null then 'key' when p.id is not null then 'user'
    else 'system' end as created_by_kind
"""
FROM = """
from app.leads l left join app.users u on u.id = l.assigned_to left join app.users p on p.id = l.created_by
    left join app.api_keys k on k.organization_id = l.organization_id and k.id = l.created_by_key
where l.organization_id = %(organization_id)s
"""
SELECT = f"select {COLUMNS} {FROM}"
ONE = f"""
select {COLUMNS}, {newest("notes", NOTE, "note_entries", "note_count")}, {newest("tasks", TASK, "tasks", "task_count")}
{FROM} and l.id = %(id)s
"""
INSERT = f"""
insert into app.leads (organization_id, created_by, {", ".join(WRITABLE)})
values (%(organization_id)s, %(created_by)s, {", ".join(f"%({column})s" for column in WRITABLE)}) returning id
"""

pool = AsyncConnectionPool(DATABASE_URL, min_size=1, max_size=8, open=False, kwargs={"row_factory": dict_row})


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


async def connection():
    """A connection and its transaction for each request."""
    async with pool.connection() as taken:
        yield taken


Connection = Annotated[AsyncConnection, Depends(connection)]


async def caller(connection: Connection, authorization: Annotated[str, Header()]) -> Caller:
    """The caller by a bearer token and an active seat."""
    try:
        found = Caller(*read_token(authorization))
    except jwt.InvalidTokenError:
        raise HTTPException(401) from None
    seat = "select 1 from app.organization_users where organization_id = %s and user_id = %s and seat_active"
    if await (await connection.execute(seat, (found.organization_id, found.user_id))).fetchone() is None:
        raise HTTPException(401)
    return found


Known = Annotated[Caller, Depends(caller)]


@app.get("/api/leads")
async def list_leads(
    connection: Connection,
    caller: Known,
    page: Annotated[int, Query(ge=1)] = 1,
    sort_by: str = "name",
    sort_dir: str = "ASC",
) -> LeadPage:
    """A page of leads with the total."""
    direction = "desc" if sort_dir == "DESC" else "asc"
    order = f"order by l.{SORTS[sort_by]} {direction}, l.id {direction} limit {PER_PAGE} offset %(offset)s"
    here = {"organization_id": caller.organization_id, "offset": (page - 1) * PER_PAGE}
    leads = await (await connection.execute(SELECT + order, here)).fetchall()
    count = "select count(*) as total from app.leads where organization_id = %(organization_id)s"
    total = (await (await connection.execute(count, here)).fetchone())["total"]
    return envelope(leads, page, total)


@app.get("/api/leads/{id}")
async def get_lead(connection: Connection, caller: Known, id: int) -> OneLead:
    """One lead."""
    here = {"organization_id": caller.organization_id, "id": id}
    lead = await (await connection.execute(ONE, here)).fetchone()
    if lead is None:
        raise HTTPException(404)
    return lead


@app.post("/api/leads", status_code=201)
async def create_lead(connection: Connection, caller: Known, body: LeadBody) -> OneLead:
    """A new lead."""
    here = {"organization_id": caller.organization_id, "created_by": caller.user_id}
    made = await (await connection.execute(INSERT, {**here, **body.model_dump()})).fetchone()
    return await (await connection.execute(SELECT + "and l.id = %(id)s", here | made)).fetchone()
