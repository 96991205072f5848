"""The lead endpoints."""

from pipeline.leads import schemas, service
from pipeline.leads.qualification import qualify_lead
from pipeline.resource import Resource
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


@notes.post(access=MEMBER, body=schemas.Note(), creates=True)
def add_note(request, id, body):
    return service.add_note(request.caller, id, body["content"])


@note.current
def get_note(request, id, noteId):
    return service.get_note(id, noteId)


@note.delete(access=MEMBER)
def delete_note(request, id, noteId):
    return service.delete_note(id, noteId)


@tasks.get(access=MEMBER)
def list_tasks(request, id):
    return service.list_tasks(id)


@tasks.post(access=MEMBER, body=schemas.Task(), creates=True)
def add_task(request, id, body):
    return service.add_task(request.caller, id, body)


@task.current
def get_task(request, id, taskId):
    return service.get_task(id, taskId)


@task.put(access=MEMBER, body=schemas.Task())
def update_task(request, id, taskId, body):
    return service.update_task(id, taskId, body)


@task.delete(access=MEMBER)
def delete_task(request, id, taskId):
    return service.delete_task(id, taskId)


@emails.get(access=MEMBER)
def list_emails(request, id):
    return service.list_emails(id)
