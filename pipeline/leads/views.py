"""The lead endpoints."""

from pipeline.http.declared import record
from pipeline.http.pagination import PagedByHundred
from pipeline.http.resource import Resource
from pipeline.http.security import MEMBER
from pipeline.http.shapes import ListOf
from pipeline.leads import qualification as qualifying
from pipeline.leads import schemas, service, shapes
from pipeline.records.activities import check_assignee, notes_of, tasks_of

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
def qualify_lead(request, id, body):
    return qualifying.qualify_lead(request.caller, id, body)


@disqualification.put(access=MEMBER, body=schemas.Disqualification(), answer=shapes.LEAD)
def disqualify_lead(request, id, body):
    return service.disqualify_lead(id, body["reason"])


@emails.get(access=MEMBER, query=PagedByHundred(), answer=ListOf(shapes.LINKED_EMAIL))
def list_linked_emails(request, id, query):
    return service.list_emails(id, query)
