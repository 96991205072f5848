"""Heavy work in parallel by one organization: documents, searches, imports, exports, plain lists, uploads."""

from contextlib import closing
from urllib.parse import quote

from experiments.chaos.imports import csv
from tests.contracts.support import pdf_file
from tests.leads.csv_files import FORM, multipart

CROWD = 16
# The largest signed copy that is taken; so many are stored, so that the disk stays as it is.
LARGEST, MOST = 25 * 1024 * 1024, 64


def complex_documents(field):
    """Twelve at once ask for the PDF of contracts that are too complex, and make each anew when it was refused."""

    def turn(index, _turn):
        path = field.contract("complex", index)
        with closing(field.user(index)) as client:
            answer = field.ask(client, "GET", f"{path}/pdf")
            if answer is not None and answer.status == 422:
                field.ask(client, "PUT", f"{path}/regenerate")

    field.crowd(12, turn)


def company_search(field, words):
    """Sixteen at once search all companies for so many words, each of which every one has."""
    lists(field, CROWD, f"/api/companies?search={quote(' '.join(field.spec['words'][:words]))}")


def imports(field):
    """Eight at once import a large file again and again, which changes the leads that the first time made."""
    content = multipart(csv(field.spec["rows"], "again"))

    def turn(index, _turn):
        with closing(field.user(index)) as client:
            field.ask(client, "POST", "/api/leads/import?on_duplicate=update", content, {"Content-Type": FORM})

    field.crowd(8, turn)


def exports(field):
    """Sixteen at once export all leads, again and again."""
    lists(field, CROWD, "/api/leads/export")


def light_requests(field):
    """All users of one organization send light requests, each as fast as its limit and the service permit."""
    lists(field, len(field.spec["tokens"]), "/api/interview-templates")


def lists(field, people, path):
    """So many at once ask for this again and again, each on a connection of their own."""
    clients = [field.user(index) for index in range(people)]
    field.crowd(people, lambda index, _turn: field.ask(clients[index], "GET", path))


def signed_copy():
    """A form with a PDF of the largest size that is taken."""
    return multipart(pdf_file(b"signed " * ((LARGEST - 1024) // 7)), filename="signed.pdf")


def real_uploads(field):
    """Sixteen at once upload signed copies of 25 MiB."""
    content = signed_copy()

    def turn(index, _turn):
        if field.got["201"] >= MOST:
            return field.rest()
        with closing(field.user(index)) as client:
            path = f"{field.contract('signed', index)}/executed"
            return field.ask(client, "POST", path, content, {"Content-Type": FORM})

    field.crowd(CROWD, turn)
