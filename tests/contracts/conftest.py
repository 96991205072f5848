"""Templates and contracts made through the API."""

import pytest

from tests.contracts.support import TEMPLATE


@pytest.fixture
def new_template(admin):
    """new_template(**changes): a contract template made through the API; returns its record."""
    return lambda **changes: admin.post("/api/contract-templates", {**TEMPLATE, **changes}, status=201).json


@pytest.fixture
def template(new_template):
    """A contract template."""
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
    """A contract without a deal, a draft."""
    return new_contract()


@pytest.fixture
def in_status(organization, contract):
    """in_status(status): the path of the contract, put into a status, its term not over."""

    def put(status, termination_date="2099-12-31"):
        organization.owner.execute(
            "update app.contracts set status = %s, termination_date = %s where id = %s",
            (status, termination_date, contract["id"]),
        )
        return f"/api/contracts/{contract['id']}"

    return put
