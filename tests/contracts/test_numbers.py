"""Numbers of contracts: one counter for each prefix, without duplicates and gaps under concurrency."""

from collections import Counter
from concurrent.futures import ThreadPoolExecutor


def test_each_prefix_counts_for_itself(new_template, new_contract):
    templates = {prefix: new_template(number_prefix=prefix)["id"] for prefix in ("RO", "A-1")}
    for prefix, expected in (("RO", 1), ("A-1", 1), ("RO", 2), ("A-1", 2)):
        assert new_contract(template_id=templates[prefix])["contract_number"] == f"{prefix}-{expected:06d}"


def test_a_number_is_never_given_again(member, new_contract):
    member.delete(f"/api/contracts/{new_contract()['id']}", status=204)
    assert new_contract()["contract_number"] == "RO-000002"


def test_the_millionth_contract_keeps_all_its_digits(organization, new_contract):
    organization.insert("contract_numbers", returned="prefix", prefix="RO", last_number=999_999)
    assert new_contract()["contract_number"] == "RO-1000000"


def test_contracts_that_come_to_nothing_beside_many_others_leave_no_gap(organization, member, template, new_template):
    too_large = new_template(content="<p>{{Contract.signature_block}}</p>" * 3_000)

    def create(turn):
        made_of = too_large if turn % 5 == 0 else template
        return member.post("/api/contracts", {"template_id": made_of["id"], "effective_date": "2026-02-01"}).status_int

    with ThreadPoolExecutor(8) as clients:
        statuses = Counter(clients.map(create, range(50)))
    assert statuses.keys() <= {201, 422, 429}  # beside slow requests others find no slot
    assert statuses[201] > 20
    asked = "select contract_number from app.contracts where organization_id = %s order by 1"
    numbers = [number for (number,) in organization.owner.execute(asked, (organization.id,))]
    assert numbers == [f"RO-{number:06d}" for number in range(1, statuses[201] + 1)]
