"""Heavy work in parallel by one organization: documents, searches, imports, exports, plain lists."""

from urllib.parse import quote

from tests.chaos.imports import csv
from tests.leads.csv_files import FORM, multipart

CROWD = 16


def complex_documents(field):
    """Twelve at once ask for the PDF of contracts that are too complex, and make each anew when it was refused."""

    def turn(index, _turn):
        path = field.contract("complex", index)
        client = field.user(index)
        answer = field.ask(client, "GET", f"{path}/pdf")
        if answer is not None and answer.status == 422:
            field.ask(client, "PUT", f"{path}/regenerate")
        client.close()

    field.crowd(12, turn)


def company_search(words):
    """An attack of sixteen at once that search all companies for so many words, each of which every one has."""

    def attack(field):
        path = f"/api/companies?search={quote(' '.join(field.spec['words'][:words]))}"
        clients = [field.user(index) for index in range(CROWD)]
        field.crowd(CROWD, lambda index, _turn: field.ask(clients[index], "GET", path))

    return attack


def imports(field):
    """Eight at once import a large file again and again, which changes the leads that the first time made."""
    content = multipart(csv(field.spec["rows"], "again"))
    path = "/api/leads/import?on_duplicate=update"

    def turn(index, _turn):
        client = field.user(index)
        field.ask(client, "POST", path, content, {"Content-Type": FORM})
        client.close()

    field.crowd(8, turn)


def exports(field):
    """Sixteen at once export all leads, again and again."""
    clients = [field.user(index) for index in range(CROWD)]
    field.crowd(CROWD, lambda index, _turn: field.ask(clients[index], "GET", "/api/leads/export"))


def light_requests(field):
    """All users of one organization send light requests, each as fast as its limit and the service permit."""
    people = len(field.spec["tokens"])
    clients = [field.user(index) for index in range(people)]
    field.crowd(people, lambda index, _turn: field.ask(clients[index], "GET", "/api/interview-templates"))


ATTACKS = {
    "complex documents": complex_documents,
    "company search, 66 words": company_search(66),
    "company search, 10 words": company_search(10),
    "imports": imports,
    "exports": exports,
    "light requests": light_requests,
}
