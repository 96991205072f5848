"""Bodies and responses of both FastAPI peers as pydantic models."""

from datetime import date, datetime
from typing import Literal

from pydantic import BaseModel, ConfigDict, Field


class LeadBody(BaseModel):
    """The writable fields."""

    model_config = ConfigDict(extra="forbid")

    first_name: str = Field(min_length=1, max_length=255)
    last_name: str | None = Field(None, max_length=255)
    email: str | None = Field(None, max_length=254, pattern=r"^[^@\s]+@[^@\s]+$")
    phone: str | None = Field(None, max_length=255)
    company: str | None = Field(None, max_length=255)
    job_title: str | None = Field(None, max_length=255)
    source: str = Field("manual", max_length=80)
    status: Literal["new", "contacted", "qualified", "disqualified"] = "new"
    notes: str | None = None
    tags: str | None = None
    assigned_to: int | None = None
    external_id: str | None = None


class Made(BaseModel):
    """The creator and times of a lead, note or task."""

    created_by: int | None
    created_by_kind: Literal["user", "key", "prospect", "system"]
    created_by_name: str | None
    created_at: datetime
    updated_at: datetime


class LeadRecord(Made, LeadBody):
    """A lead as in the API."""

    model_config = ConfigDict(from_attributes=True, extra="ignore")

    id: int
    organization_id: int
    name: str
    company_name: str | None
    assigned_to_name: str | None
    contact_id: int | None
    company_id: int | None
    deal_id: int | None
    disqualify_reason: str | None
    qualified_at: datetime | None
    disqualified_at: datetime | None


class Activity(Made):
    """The common fields of notes and tasks."""

    model_config = ConfigDict(from_attributes=True)

    id: int
    organization_id: int
    lead_id: int | None
    contract_id: int | None
    contact_id: int | None
    company_id: int | None
    deal_id: int | None


class NoteRecord(Activity):
    """A note as in the API."""

    content: str


class TaskRecord(Activity):
    """A task as in the API."""

    title: str
    description: str | None
    due_date: date | None
    due_time: str | None
    priority: Literal["low", "medium", "high"]
    assigned_to: int | None


class OneLead(LeadRecord):
    """A single lead with its newest notes and tasks, the newest last, and their numbers."""

    note_entries: list[NoteRecord] = []
    note_count: int = 0
    tasks: list[TaskRecord] = []
    task_count: int = 0


class LeadPage(BaseModel):
    """A page of leads."""

    data: list[LeadRecord]
    current_page: int
    last_page: int
    per_page: int
    total: int
