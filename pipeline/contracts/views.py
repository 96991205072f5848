"""The contract endpoints."""

import functools

from pipeline.contracts import renditions, schemas, service
from pipeline.contracts.signed import TYPES, check_signed_copy
from pipeline.documents import MEDIA_TYPES
from pipeline.files import file_response, tag_response
from pipeline.pages import Paged, PagedByHundred
from pipeline.records import activities
from pipeline.records.schemas import Note, Task
from pipeline.resource import Resource
from pipeline.security import ADMIN, MEMBER
from pipeline.slots import DOCUMENT, TEXT, hold, hold_download
from pipeline.uploads import UploadField

FILE = UploadField("file", 25 * 1024 * 1024)

contracts = Resource("/contracts", "Contracts")
contract = Resource("/contracts/{id}", "A contract")
pdf = Resource("/contracts/{id}/pdf", "A contract as PDF")
docx = Resource("/contracts/{id}/docx", "A contract as Word document")
regeneration = Resource("/contracts/{id}/regenerate", "Make a contract's text again")
notes = Resource("/contracts/{id}/notes", "Notes on a contract")
note = Resource("/contracts/{id}/notes/{noteId}", "A note on a contract")
tasks = Resource("/contracts/{id}/tasks", "Tasks of a contract")
task = Resource("/contracts/{id}/tasks/{taskId}", "A task of a contract")
executed = Resource("/contracts/{id}/executed", "The executed copy of a contract")


def slot(request, kind):
    """What takes a slot for a kind of heavy work when it turns out to be that."""
    return functools.partial(hold, request, kind)


@contracts.get(access=MEMBER, query=schemas.ContractList())
def list_contracts(request, query):
    return service.list_contracts(query)


@contracts.post(access=MEMBER, body=schemas.Contract(), creates=True)
def create_contract(request, body):
    return service.create_contract(request.caller, body, slot(request, TEXT))


@contract.get(access=MEMBER)
def get_contract(request, id):
    return service.get_contract(id)


@contract.put(access=MEMBER, body=schemas.ContractChange())
def update_contract(request, id, body):
    return service.update_contract(id, body, slot(request, TEXT))


@contract.delete(access=MEMBER)
def delete_contract(request, id):
    return service.delete_contract(id)


def document(request, id, kind):
    made = renditions.document(id, kind, slot(request, DOCUMENT))
    return made and renditions.response(made, kind, functools.partial(hold_download, request))


@pdf.get(access=MEMBER, gives=MEDIA_TYPES["pdf"])
def get_contract_pdf(request, id):
    return document(request, id, "pdf")


@docx.get(access=MEMBER, gives=MEDIA_TYPES["docx"])
def get_contract_docx(request, id):
    return document(request, id, "docx")


@regeneration.put(access=MEMBER)
def regenerate_contract(request, id):
    return service.regenerate_contract(id, slot(request, TEXT))


@notes.get(access=MEMBER, query=Paged())
def list_contract_notes(request, id, query):
    return activities.list_notes(query, contract_id=id)


@notes.post(access=MEMBER, body=Note(), creates=True)
def add_contract_note(request, id, body):
    return activities.add_note(request.caller, body["content"], contract_id=id)


@note.current
def get_contract_note(request, id, noteId):
    return activities.get_note(noteId, contract_id=id)


@note.delete(access=MEMBER)
def delete_contract_note(request, id, noteId):
    return activities.delete_note(noteId, contract_id=id)


@tasks.get(access=MEMBER, query=PagedByHundred())
def list_contract_tasks(request, id, query):
    return activities.list_tasks(query, contract_id=id)


@tasks.post(access=MEMBER, body=Task(), creates=True)
def add_contract_task(request, id, body):
    return activities.add_task(request.caller, body, contract_id=id)


@task.current
def get_contract_task(request, id, taskId):
    return activities.get_task(taskId, contract_id=id)


@task.put(access=MEMBER, body=Task())
def update_contract_task(request, id, taskId, body):
    return activities.update_task(taskId, body, contract_id=id)


@task.delete(access=MEMBER)
def delete_contract_task(request, id, taskId):
    return activities.delete_task(taskId, contract_id=id)


@executed.post(access=MEMBER, upload=FILE, status=201)
def upload_executed_copy(request, id, upload):
    filename, kind = check_signed_copy(upload.file, upload.filename)
    return service.add_executed(request.caller, id, kind, filename, upload.file)


@executed.get(access=MEMBER, gives=", ".join(TYPES))
def get_executed_copy(request, id):
    file_id = service.executed_file(id)
    return file_id and file_response(file_id, functools.partial(hold_download, request))


@executed.current
def get_executed_tag(request, id):
    file_id = service.executed_file(id)
    return file_id and tag_response(file_id)


@executed.delete(access=ADMIN)
def delete_executed_copy(request, id):
    return service.remove_executed(id)
