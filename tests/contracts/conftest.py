"""Templates and contracts made through the API, and a renderer that can be told to fail."""

import pytest

from pipeline import documents
from tests.contracts.support import TEMPLATE, path_of, upload
from tests.contracts.word_files import word_file


@pytest.fixture
def new_template(admin):
    """new_template(**changes): a contract template made through the API; returns its record."""
    return lambda **changes: admin.post("/api/contract-templates", {**TEMPLATE, **changes}, status=201).json


@pytest.fixture
def template(new_template):
    return new_template()


@pytest.fixture
def new_contract(member, template):
    """new_contract(**changes): a contract made through the API; returns its record."""

    def make(**changes):
        body = {"template_id": template["id"], "effective_date": "2026-02-01", **changes}
        return member.post("/api/contracts", body, status=201).json

    return make


@pytest.fixture
def contract(new_contract):
    return new_contract()


@pytest.fixture
def word_contract(admin, new_template, new_contract):
    """A contract of a Word file with its number and the signature block."""
    template = new_template()
    content = word_file("Number {{Contract.number}}", "{{Contract.signature_block}}")
    upload(admin, f"/api/contract-templates/{template['id']}/word", content, "a.docx", status=201)
    return new_contract(template_id=template["id"])


@pytest.fixture
def path(contract):
    return path_of(contract)


@pytest.fixture
def made(new_template, new_contract):
    """made(content, **changes): a contract of a new template with this text."""
    return lambda content, **changes: new_contract(template_id=new_template(content=content)["id"], **changes)


@pytest.fixture
def in_status(organization, contract):
    """in_status(status): the path of the contract, put into a status, its term not over."""

    def put(status, termination_date="2099-12-31"):
        organization.owner.execute(
            "update app.contracts set status = %s, termination_date = %s where id = %s",
            (status, termination_date, contract["id"]),
        )
        return path_of(contract)

    return put


class Renderer:
    """The renderer, which notes the kinds it was asked for; `before()` runs first, and `errors` has what is raised."""

    def __init__(self):
        self.render, self.tried, self.errors, self.before = documents.render, [], {}, lambda: None

    def fail(self, error):
        self.errors = dict.fromkeys(documents.KINDS, error)

    def __call__(self, kind, document):
        self.tried.append(kind)
        self.before()
        if kind in self.errors:
            raise self.errors[kind]
        return self.render(kind, document)


@pytest.fixture
def renderer(monkeypatch):
    renderer = Renderer()
    monkeypatch.setattr(documents, "render", renderer)
    return renderer


@pytest.fixture
def too_complex(renderer):
    """The Renderer in use, for which every document is too complex."""
    renderer.fail(documents.TooComplex("It has more than 300 pages."))
    return renderer
