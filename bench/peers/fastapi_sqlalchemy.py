"""FastAPI with SQLAlchemy's ORM on asyncio and psycopg, as in both guides."""

from datetime import date, datetime
from typing import Annotated

import jwt
from caller import DATABASE_URL, NEWEST, PER_PAGE, SORTS, envelope, kind, read_token
from fastapi import Depends, FastAPI, Header, HTTPException, Query
from fastapi_models import LeadBody, LeadPage, NoteRecord, OneLead, TaskRecord
from sqlalchemy import Computed, FetchedValue, ForeignKey, func, select
from sqlalchemy.ext.asyncio import AsyncSession, async_sessionmaker, create_async_engine
from sqlalchemy.orm import DeclarativeBase, Mapped, declared_attr, joinedload, mapped_column, relationship

engine = create_async_engine(
    DATABASE_URL.replace("postgresql://", "postgresql+psycopg://", 1),
    pool_size=8,
    max_overflow=0,
    connect_args={"options": "-c search_path=app,extensions"},
)
new_session = async_sessionmaker(engine, expire_on_commit=False)
app = FastAPI()


class Base(DeclarativeBase):
    """The mapped tables."""


class User(Base):
    """A person."""

    __tablename__ = "users"
    id: Mapped[int] = mapped_column(primary_key=True)
    name: Mapped[str]


class Seat(Base):
    """A user's seat in an organization."""

    __tablename__ = "organization_users"
    organization_id: Mapped[int] = mapped_column(primary_key=True)
    user_id: Mapped[int] = mapped_column(primary_key=True)
    role: Mapped[str]
    seat_active: Mapped[bool]


class Key(Base):
    """An API key."""

    __tablename__ = "api_keys"
    id: Mapped[int] = mapped_column(primary_key=True)
    name: Mapped[str]


class Made:
    """The creator and times of a lead, note or task."""

    created_by: Mapped[int | None] = mapped_column(ForeignKey("users.id"))
    created_by_key: Mapped[int | None] = mapped_column(ForeignKey("api_keys.id"))
    created_at: Mapped[datetime] = mapped_column(server_default=FetchedValue())
    updated_at: Mapped[datetime] = mapped_column(server_default=FetchedValue())

    @declared_attr
    def person(cls) -> Mapped[User | None]:
        """The user who created it."""
        return relationship(foreign_keys=[cls.created_by])

    @declared_attr
    def key(cls) -> Mapped[Key | None]:
        """The key that created it."""
        return relationship(foreign_keys=[cls.created_by_key])

    @property
    def created_by_kind(self):
        """The kind of creator."""
        return kind(self.created_by, self.created_by_key, getattr(self, "created_by_form", False))

    @property
    def created_by_name(self):
        """The creator's name."""
        maker = self.person or self.key
        return maker.name if maker else None


class Lead(Made, Base):
    """A lead; the database generates the sort keys."""

    __tablename__ = "leads"
    __mapper_args__ = {"eager_defaults": True}
    organization_id: Mapped[int] = mapped_column(primary_key=True)
    id: Mapped[int] = mapped_column(primary_key=True, server_default=FetchedValue())
    first_name: Mapped[str]
    last_name: Mapped[str | None]
    email: Mapped[str | None]
    phone: Mapped[str | None]
    company: Mapped[str | None]
    job_title: Mapped[str | None]
    source: Mapped[str]
    status: Mapped[str]
    notes: Mapped[str | None]
    tags: Mapped[str | None]
    assigned_to: Mapped[int | None] = mapped_column(ForeignKey("users.id"))
    contact_id: Mapped[int | None]
    company_id: Mapped[int | None]
    deal_id: Mapped[int | None]
    disqualify_reason: Mapped[str | None]
    external_id: Mapped[str | None]
    qualified_at: Mapped[datetime | None]
    disqualified_at: Mapped[datetime | None]
    created_by_form: Mapped[bool] = mapped_column(server_default=FetchedValue())
    name_key: Mapped[str] = mapped_column(Computed("first_name"), deferred=True)
    email_key: Mapped[str | None] = mapped_column(Computed("email"), deferred=True)
    assignee: Mapped[User | None] = relationship(foreign_keys=[assigned_to])

    @property
    def name(self):
        """First and last name."""
        return f"{self.first_name} {self.last_name}" if self.last_name else self.first_name

    @property
    def company_name(self):
        """The company under its name in the API."""
        return self.company

    @property
    def assigned_to_name(self):
        """The assignee's name."""
        return self.assignee.name if self.assignee else None


class Activity(Made):
    """The common fields of notes and tasks."""

    organization_id: Mapped[int] = mapped_column(primary_key=True)
    id: Mapped[int] = mapped_column(primary_key=True, server_default=FetchedValue())
    lead_id: Mapped[int | None]
    contract_id: Mapped[int | None]
    contact_id: Mapped[int | None]
    company_id: Mapped[int | None]
    deal_id: Mapped[int | None]


class Note(Activity, Base):
    """A note on a lead or a contract."""

    __tablename__ = "notes"
    content: Mapped[str]


class Task(Activity, Base):
    """A task of a lead or a contract."""

    __tablename__ = "tasks"
    title: Mapped[str]
    description: Mapped[str | None]
    due_date: Mapped[date | None]
    due_time: Mapped[str | None]
    priority: Mapped[str]
    assigned_to: Mapped[int | None]


RELATED = (joinedload(Lead.assignee), joinedload(Lead.person), joinedload(Lead.key))


async def session():
    """A session for each request."""
    async with new_session() as opened:
        yield opened


Session = Annotated[AsyncSession, Depends(session)]


async def caller(session: Session, authorization: Annotated[str, Header()]) -> Seat:
    """The caller's seat by a bearer token."""
    try:
        user_id, organization_id = read_token(authorization)
    except jwt.InvalidTokenError:
        raise HTTPException(401) from None
    seat = await session.get(Seat, (organization_id, user_id))
    if seat is None or not seat.seat_active:
        raise HTTPException(401)
    return seat


Caller = Annotated[Seat, Depends(caller)]


@app.get("/api/leads")
async def list_leads(
    session: Session,
    caller: Caller,
    page: Annotated[int, Query(ge=1)] = 1,
    sort_by: str = "name",
    sort_dir: str = "ASC",
) -> LeadPage:
    """A page of leads with the total."""
    mine = Lead.organization_id == caller.organization_id
    key = getattr(Lead, SORTS[sort_by])
    order = (key.desc(), Lead.id.desc()) if sort_dir == "DESC" else (key, Lead.id)
    statement = select(Lead).options(*RELATED).where(mine).order_by(*order)
    leads = (await session.scalars(statement.limit(PER_PAGE).offset((page - 1) * PER_PAGE))).all()
    total = await session.scalar(select(func.count()).select_from(Lead).where(mine))
    return envelope(leads, page, total)


async def newest(session: AsyncSession, table: type[Note] | type[Task], lead: Lead):
    """The newest notes or tasks of a lead, the newest last, and how many there are."""
    mine = (table.organization_id == lead.organization_id, table.lead_id == lead.id)
    statement = select(table).options(joinedload(table.person), joinedload(table.key)).where(*mine)
    entries = (await session.scalars(statement.order_by(table.id.desc()).limit(NEWEST))).all()
    total = len(entries)
    if total == NEWEST:
        total = await session.scalar(select(func.count()).select_from(table).where(*mine))
    return entries[::-1], total


@app.get("/api/leads/{id}")
async def get_lead(session: Session, caller: Caller, id: int) -> OneLead:
    """One lead."""
    lead = await session.get(Lead, (caller.organization_id, id), options=RELATED)
    if lead is None:
        raise HTTPException(404)
    found = OneLead.model_validate(lead)
    notes, found.note_count = await newest(session, Note, lead)
    tasks, found.task_count = await newest(session, Task, lead)
    found.note_entries = [NoteRecord.model_validate(note) for note in notes]
    found.tasks = [TaskRecord.model_validate(task) for task in tasks]
    return found


@app.post("/api/leads", status_code=201)
async def create_lead(session: Session, caller: Caller, body: LeadBody) -> OneLead:
    """A new lead."""
    lead = Lead(organization_id=caller.organization_id, created_by=caller.user_id, **body.model_dump())
    session.add(lead)
    await session.flush()
    await session.refresh(lead, ["assignee", "person", "key"])
    await session.commit()
    return lead
