"""The lead endpoints."""

from pipeline.http.pagination import Paged, PagedByHundred
from pipeline.http.resource import Resource
from pipeline.leads import schemas, service
from pipeline.leads.qualification import qualify_lead
from pipeline.records import activities
from pipeline.records.schemas import Note, Task
from pipeline.security import MEMBER

leads = Resource("/leads", "Leads")
lead = Resource("/leads/{id}", "A lead")
qualification = Resource("/leads/{id}/qualify", "Qualify a lead")
disqualification = Resource("/leads/{id}/disqualify", "Disqualify a lead")
notes = Resource("/leads/{id}/notes", "Notes on a lead")
note = Resource("/leads/{id}/notes/{noteId}", "A note on a lead")
tasks = Resource("/leads/{id}/tasks", "Tasks of a lead")
task = Resource("/leads/{id}/tasks/{taskId}", "A task of a lead")
emails = Resource("/leads/{id}/linked-emails", "The emails linked to a lead")


@leads.get(access=MEMBER, query=schemas.LeadList())
def list_leads(request, query):
    return service.list_leads(request.caller, query)


@leads.post(access=MEMBER, body=schemas.Lead(), creates=True)
def create_lead(request, body):
    return service.create_lead(body)


@lead.get(access=MEMBER)
def get_lead(request, id):
    return service.get_lead(id)


@lead.put(access=MEMBER, body=schemas.Lead())
def update_lead(request, id, body):
    return service.update_lead(id, body)


@lead.delete(access=MEMBER)
def delete_lead(request, id):
    return service.delete_lead(id)


@qualification.post(access=MEMBER, body=schemas.Qualification())
def qualify(request, id, body):
    return qualify_lead(request.caller, id, body)


@disqualification.put(access=MEMBER, body=schemas.Disqualification())
def disqualify(request, id, body):
    return service.disqualify_lead(id, body["reason"])


@notes.get(access=MEMBER, query=Paged())
def list_notes(request, id, query):
    return activities.list_notes(query, lead_id=id)


@notes.post(access=MEMBER, body=Note(), creates=True)
def add_note(request, id, body):
    return activities.add_note(request.caller, body["content"], lead_id=id)


@note.current
def get_note(request, id, noteId):
    return activities.get_note(noteId, lead_id=id)


@note.delete(access=MEMBER)
def delete_note(request, id, noteId):
    return activities.delete_note(noteId, lead_id=id)


@tasks.get(access=MEMBER, query=PagedByHundred())
def list_tasks(request, id, query):
    return activities.list_tasks(query, lead_id=id)


@tasks.post(access=MEMBER, body=Task(), creates=True)
def add_task(request, id, body):
    return activities.add_task(request.caller, body, lead_id=id)


@task.current
def get_task(request, id, taskId):
    return activities.get_task(taskId, lead_id=id)


@task.put(access=MEMBER, body=Task())
def update_task(request, id, taskId, body):
    return activities.update_task(taskId, body, lead_id=id)


@task.delete(access=MEMBER)
def delete_task(request, id, taskId):
    return activities.delete_task(taskId, lead_id=id)


@emails.get(access=MEMBER, query=PagedByHundred())
def list_emails(request, id, query):
    return service.list_emails(id, query)
