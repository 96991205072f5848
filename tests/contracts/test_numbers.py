"""Numbers of contracts: one counter for each prefix, without duplicates and gaps under concurrency."""

import threading

import pytest

from pipeline.contracts import service
from pipeline.contracts.schemas import Contract
from pipeline.database import queries
from pipeline.http.core.security import Identity
from pipeline.validation import deserialize

CLIENTS, EACH = 8, 20


class RolledBack(Exception):
    """A creation that comes to nothing."""


@pytest.fixture
def create(wsgi, organization, template):
    """create(fail=False): a contract made in a transaction of its own, which may be rolled back at its end."""
    user_id = organization.users["member"]
    caller = Identity(user_id, organization.id, "member", organization.session(user_id))
    body = deserialize(Contract(), {"template_id": template["id"], "effective_date": "2026-02-01"})

    def make(fail=False):
        with wsgi.registry.app.of(organization.id).transaction():
            queries.authenticate(
                user_id=caller.user_id, organization_id=caller.organization_id, session_id=caller.session_id
            )
            service.create_contract(caller, dict(body), slot=lambda: None)
            if fail:
                raise RolledBack

    return make


def numbers(organization):
    """The numbers given, in their order."""
    rows = organization.owner.execute(
        "select contract_number from app.contracts where organization_id = %s order by 1", (organization.id,)
    )
    return [number for (number,) in rows]


def test_a_rollback_leaves_no_gap(organization, create):
    create()
    with pytest.raises(RolledBack):
        create(fail=True)
    create()
    assert numbers(organization) == ["RO-000001", "RO-000002"]


def test_many_clients_of_whom_some_roll_back_get_numbers_without_gap_or_duplicate(organization, create):
    def client(number):
        for turn in range(EACH):
            try:
                create(fail=(number + turn) % 10 == 0)
            except RolledBack:
                rolled_back.append(1)

    rolled_back = []
    clients = [threading.Thread(target=client, args=(number,)) for number in range(CLIENTS)]
    for thread in clients:
        thread.start()
    for thread in clients:
        thread.join()
    assert len(rolled_back) == CLIENTS * EACH / 10
    assert numbers(organization) == [f"RO-{n:06d}" for n in range(1, CLIENTS * EACH - len(rolled_back) + 1)]


def test_a_contract_that_becomes_too_large_leaves_no_gap(admin, new_template, create):
    grows = new_template(content="<p>{{Contract.signature_block}}</p>" * 3_000)
    create()
    body = {"template_id": grows["id"], "effective_date": "2026-02-01"}
    assert admin.post("/api/contracts", body, status=422).json["code"] == "document_too_complex"
    grows = admin.put(f"/api/contract-templates/{grows['id']}", {"content": "<p>a</p>"}, status=200).json
    assert admin.post("/api/contracts", body, status=201).json["contract_number"] == "RO-000002"
