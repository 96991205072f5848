"""The lead endpoints."""

from typing import Any

from pipeline.http.declared import record
from pipeline.http.pagination import Page, PagedByHundred
from pipeline.http.request import Request
from pipeline.http.resource import Resource
from pipeline.http.security import MEMBER
from pipeline.http.shapes import ListOf
from pipeline.leads import qualification as qualifying
from pipeline.leads import schemas, service, shapes
from pipeline.records.activities import check_assignee, notes_of, tasks_of
from pipeline.validation import Values

leads, lead = record(
    "/leads",
    "lead",
    "leads",
    body=schemas.Lead(),
    query=schemas.LeadList(),
    shows=shapes.LEAD,
    list=service.list_leads,
    check=lambda id, body: check_assignee(body, lead_id=id),
)
notes, note = notes_of("/leads/{id}", "lead")
tasks, task = tasks_of("/leads/{id}", "lead")
qualification = Resource("/leads/{id}/qualify", "Qualify a lead")
disqualification = Resource("/leads/{id}/disqualify", "Disqualify a lead")
emails = Resource("/leads/{id}/linked-emails", "The emails linked to a lead")


@qualification.post(
    access=MEMBER, body=schemas.Qualification(), answer=shapes.QUALIFICATION, fails=("lead_has_no_company",)
)
def qualify_lead(request: Request, id: int, body: Values) -> dict[str, Any] | None:
    return qualifying.qualify_lead(request.caller, id, body)


@disqualification.put(access=MEMBER, body=schemas.Disqualification(), answer=shapes.LEAD)
def disqualify_lead(request: Request, id: int, body: Values) -> bytes | None:
    return service.disqualify_lead(id, body["reason"])


@emails.get(access=MEMBER, query=PagedByHundred(), answer=ListOf(shapes.LINKED_EMAIL))
def list_linked_emails(request: Request, id: int, query: Values) -> Page | None:
    return service.list_emails(id, query)
