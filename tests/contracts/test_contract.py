"""A contract from its creation to its deletion."""

import pytest

from pipeline.contracts.edits import UNFILLED
from pipeline.contracts.merge import catalogue
from tests.contracts.support import deal, quote
from tests.support import codes


def events(organization):
    """The keys of the organization's events, in their order."""
    rows = organization.owner.execute(
        "select key from app.outbox where organization_id = %s order by id", (organization.id,)
    )
    return [key for (key,) in rows]


def path(contract):
    return f"/api/contracts/{contract['id']}"


def test_a_new_contract_is_a_numbered_draft_of_the_templates_text(organization, member, template):
    answer = member.post("/api/contracts", {"template_id": template["id"], "effective_date": "2026-01-31"}, status=201)
    contract = answer.json
    assert (contract["contract_number"], contract["status"], contract["revision"]) == ("RO-000001", "draft", 1)
    assert (contract["term_months"], contract["termination_date"]) == (36, "2029-01-30")
    assert contract["created_by"] == organization.users["member"]
    assert "<h1>RO-000001</h1>" in contract["content"]
    assert contract["unresolved_tags"] == ["Licensee.name", "Deal.title"]
    assert answer.headers["Location"].endswith(path(contract))
    assert member.get(path(contract), status=200).json == contract
    assert events(organization) == [f"contract_documents:{contract['id']}:1"]


def test_a_contract_takes_names_and_values_from_its_deal(organization, new_contract):
    contract = new_contract(deal_id=deal(organization))
    assert (contract["deal_title"], contract["company_name"]) == ("Floating seats", "Café Soft")
    assert contract["name"] == "License agreement · Café Soft"
    assert "<p>Café Soft licenses Floating seats.</p>" in contract["content"]
    assert contract["unresolved_tags"] == []


def test_a_new_contract_is_answered_as_it_is_read(organization, member, new_template):
    template = new_template(content="<p>{{Contract.name}} {{Licensee.name}} Ü \x7f \U0010fffd</p>")
    body = {"template_id": template["id"], "effective_date": "2026-02-01", "deal_id": deal(organization)}
    answer = member.post("/api/contracts", body, status=201)
    read = member.get(f"/api/contracts/{answer.json['id']}", status=200)
    assert (answer.body, answer.headers["ETag"]) == (read.body, read.headers["ETag"])


def test_every_value_reaches_its_tag(organization, member, new_template):
    deal_id = deal(organization)
    quote(organization, deal_id, "Q-1", status="draft")
    names = [tag["tag"] for group in catalogue() for tag in group["tags"] if tag["type"] in ("text", "money", "number")]
    content = "".join(f"<p>{name}={{{{{name}}}}}</p>" for name in names if not name.startswith("Line."))
    place = "street = '1 Harbour Road', city = 'Portland', postal_code = '97201', country = 'US'"
    organization.owner.execute(f"update app.organizations set {place} where id = %s", [organization.id])
    body = {"template_id": new_template(content=content)["id"], "effective_date": "2026-01-01", "deal_id": deal_id}
    text = member.post("/api/contracts", body, status=201).json["content"]
    for shown in (
        "Licensee.legal_name=Café Soft SARL",
        "Licensee.address=5 rue de la Paix<br>69001 Lyon<br>France",
        "Licensee.street=5 rue de la Paix",
        "Licensee.postal_code=69001",
        "Licensee.city=Lyon",
        "Licensee.country=France",
        "Licensee.contact_name=Hélène Dubois",
        "Licensee.contact_title=CTO",
        "Deal.stage=Proposal",
        "Deal.owner_name=Member",
        "Quote.number=Q-1",
        "Contract.number=RO-000001",
        "Contract.term_months=36",
        "Contract.status=draft",
        f"Contract.licensor_name={organization.name}",
        "Contract.licensor_street=1 Harbour Road",
        "Contract.licensor_postal_code=97201",
        "Contract.licensor_city=Portland",
        "Contract.licensor_country=United States",
        "Contract.licensor_address=1 Harbour Road<br>97201 Portland<br>United States",
    ):
        assert f"<p>{shown}</p>" in text


def test_totals_are_those_of_the_accepted_quote_else_of_the_newest(organization, member, new_template):
    deal_id = deal(organization)
    template = new_template(content="<p>{{Quote.number}}: {{Quote.subtotal | number}} {{Quote.total | number}}</p>")
    body = {"template_id": template["id"], "effective_date": "2026-01-01", "deal_id": deal_id}
    quote(organization, deal_id, "Q-1", status="sent", discount_total_minor=10_000, tax_total_minor=25_000)
    quote(organization, deal_id, "Q-2", status="draft")
    # 3 × 333.33 × 0.875 = 874.99, and 500.
    assert "Q-2: 1,374.99 1,374.99" in member.post("/api/contracts", body, status=201).json["content"]
    organization.owner.execute("update app.quotes set status = 'accepted' where quote_number = 'Q-1'")
    assert "Q-1: 1,374.99 1,524.99" in member.post("/api/contracts", body, status=201).json["content"]


def test_a_declined_quote_prices_no_contract(organization, member, new_template):
    template = new_template(content="<p>{{Quote.number}}</p>")
    deal_id = deal(organization)
    quote(organization, deal_id, "Q-1", status="draft")
    quote(organization, deal_id, "Q-2", status="declined")
    body = {"template_id": template["id"], "effective_date": "2026-01-01", "deal_id": deal_id}
    contract = member.post("/api/contracts", body, status=201).json
    assert (contract["content"], contract["unresolved_tags"]) == ("<p>Q-1</p>", [])
    organization.owner.execute("update app.quotes set status = 'declined' where deal_id = %s", [deal_id])
    again = member.put(f"/api/contracts/{contract['id']}/regenerate", status=200).json
    assert again["unresolved_tags"] == ["Quote.number"]


def test_the_totals_of_the_largest_quote_are_exact(organization, member, new_template):
    template = new_template(content="<p>{{Quote.subtotal}} {{Quote.total | currency}}</p>")
    quoted = {
        "deal_id": deal(organization),
        "lines": [{"quantity": 10**7, "unit_price": 10**9}] * 500,
        "tax_total": 0.01,
    }
    member.post("/api/quotes", quoted, status=201)
    body = {"template_id": template["id"], "effective_date": "2026-01-01", "deal_id": quoted["deal_id"]}
    content = member.post("/api/contracts", body, status=201).json["content"]
    assert content == "<p>5000000000000000000.00 €5,000,000,000,000,000,000.01</p>"


def test_every_value_of_a_quotes_line_reaches_its_tag(organization, member, new_template):
    deal_id = deal(organization)
    quote(organization, deal_id, "Q-1")
    names = ("name", "sku", "description", "quantity", "unit_price", "discount_percent", "tax_rate", "net")
    tags = "|".join("{{Line." + name + "}}" for name in names)
    template = new_template(content=f'<p data-each="Quote.lines">{tags}</p><p>{{{{Quote.lines_table}}}}</p>')
    body = {"template_id": template["id"], "effective_date": "2026-02-01", "deal_id": deal_id}
    content = member.post("/api/contracts", body, status=201).json["content"]
    assert "<p>Seat|S|Seat|3|333.33|12.5|7.5|874.99</p>" in content
    assert f"<p>Support|HELP|Support|1|500.00|0|{UNFILLED}|500.00</p>" in content
    assert ">12.5\u00a0%<" in content


def test_the_number_reaches_headers_and_filters(organization, owner, member, new_template):
    template = new_template(
        content="<p>{{Contract.number | lower}} {{Contract.number | upper}}</p>", header_left="No. {{Contract.number}}"
    )
    body = {"template_id": template["id"], "effective_date": "2026-01-01"}
    contract = member.post("/api/contracts", body, status=201).json
    assert contract["content"] == "<p>ro-000001 RO-000001</p>"
    layout = owner.execute("select layout from app.contracts where id = %s", (contract["id"],)).fetchone()[0]
    assert layout["header_left"] == "No. RO-000001"


def test_each_prefix_counts_for_itself(new_template, member):
    for prefix, expected in (("RO", 1), ("A-1", 1), ("RO", 2), ("A-1", 2)):
        body = {"template_id": new_template(number_prefix=prefix)["id"], "effective_date": "2026-01-01"}
        assert member.post("/api/contracts", body, status=201).json["contract_number"] == f"{prefix}-{expected:06d}"


def test_a_number_is_never_given_again(member, new_contract):
    gone = new_contract()
    member.delete(path(gone), status=204)
    assert new_contract()["contract_number"] == "RO-000002"


def test_the_millionth_contract_keeps_all_its_digits(organization, new_contract):
    organization.owner.execute(
        "insert into app.contract_numbers (organization_id, prefix, last_number) values (%s, 'RO', 999999)",
        (organization.id,),
    )
    assert new_contract()["contract_number"] == "RO-1000000"


@pytest.mark.parametrize(
    ("changes", "code"),
    [
        ({"template_id": 9_000_000_000}, ("template_id", "unknown_reference")),
        ({"deal_id": 9_000_000_000}, ("deal_id", "unknown_reference")),
        ({"term_months": 1201}, ("term_months", "out_of_range")),
        ({"effective_date": "9999-12-31", "term_months": 1}, ("term_months", "out_of_range")),
        ({"status": "active"}, ("status", "unknown_field")),
    ],
)
def test_a_bad_contract_is_refused_by_field(member, template, changes, code):
    body = {"template_id": template["id"], "effective_date": "2026-02-01", **changes}
    assert codes(member.post("/api/contracts", body, status=422)) == [code]


def test_changed_inputs_make_the_text_again(organization, member, template, contract):
    body = {"template_id": template["id"], "effective_date": "2026-03-01", "term_months": 1}
    body["deal_id"] = deal(organization)
    changed = member.put(path(contract), body, status=200).json
    assert (changed["revision"], changed["termination_date"]) == (2, "2026-03-31")
    assert (changed["company_name"], changed["unresolved_tags"]) == ("Café Soft", [])
    assert changed["contract_number"] == contract["contract_number"]
    assert events(organization)[1:] == [f"contract_documents:{contract['id']}:2"]


def test_what_is_left_out_goes_back_to_its_default(member, template, new_contract):
    contract = new_contract(name="Special", term_months=2)
    body = {"template_id": template["id"], "effective_date": "2026-02-01"}
    changed = member.put(path(contract), body, status=200).json
    assert (changed["name"], changed["term_months"]) == ("License agreement", 36)


def test_a_contract_with_the_longest_name_of_its_own_is_changed_and_sent_back(organization, member, new_template):
    deal_id = deal(organization, company_id=organization.insert("companies", name="C" * 255))
    body = {"template_id": new_template(name="T" * 255)["id"], "effective_date": "2026-02-01", "deal_id": deal_id}
    made = member.post("/api/contracts", body, status=201).json
    assert member.patch(path(made), {"term_months": 12}, status=200).json["name"] == made["name"]
    assert member.put(path(made), member.get(path(made)).json, status=200).json["term_months"] == 12


def test_equal_inputs_change_nothing(organization, member, template, contract, new_template):
    member.delete(f"/api/contract-templates/{template['id']}", status=403)
    same = member.put(path(contract), {"template_id": template["id"], "effective_date": "2026-02-01"}, status=200).json
    assert same == contract
    assert len(events(organization)) == 1


def test_a_contract_moves_on_although_its_text_could_not_be_made_again(organization, member, new_template):
    deal_id = deal(organization)
    quote(organization, deal_id, "Q-1")
    body = {"template_id": new_template(content="<p>{{Quote.notes}}</p>" * 1000)["id"], "effective_date": "2026-02-01"}
    contract = member.post("/api/contracts", {**body, "deal_id": deal_id}, status=201).json
    organization.owner.execute("update app.quotes set notes = repeat('x', 20000) where deal_id = %s", (deal_id,))
    assert member.put(f"{path(contract)}/regenerate", status=422).json["code"] == "document_too_complex"
    moved = member.put(path(contract), {**body, "deal_id": deal_id, "status": "active"}, status=200).json
    assert (moved["status"], moved["content"], moved["revision"]) == ("active", contract["content"], 1)


def test_regenerate_takes_the_template_as_it_is_now(organization, admin, member, template, contract):
    admin.put(f"/api/contract-templates/{template['id']}", {"content": "<p>New {{Contract.number}}</p>"}, status=200)
    assert member.get(path(contract)).json["content"] == contract["content"]
    again = member.put(f"{path(contract)}/regenerate", status=200).json
    assert (again["content"], again["revision"]) == ("<p>New RO-000001</p>", 2)
    assert events(organization)[1:] == [f"contract_documents:{contract['id']}:2"]


def test_a_deleted_template_serves_only_the_contracts_that_have_it(admin, member, template, contract):
    admin.delete(f"/api/contract-templates/{template['id']}", status=204)
    body = {"template_id": template["id"], "effective_date": "2026-05-01"}
    assert codes(member.post("/api/contracts", body, status=422)) == [("template_id", "unknown_reference")]
    assert member.put(path(contract), body, status=200).json["effective_date"] == "2026-05-01"
    member.put(f"{path(contract)}/regenerate", status=200)


@pytest.mark.parametrize(("field", "code"), [("term_months", "out_of_range"), ("deal_id", "unknown_reference")])
def test_a_deleted_template_is_not_to_blame_for_what_else_is_wrong(admin, member, template, contract, field, code):
    admin.delete(f"/api/contract-templates/{template['id']}", status=204)
    assert codes(member.patch(path(contract), {field: 999_999}, status=422)) == [(field, code)]


def test_a_deleted_contract_is_gone_with_everything_that_was_its(organization, member, contract):
    member.post(f"{path(contract)}/notes", {"content": "Called"}, status=201)
    member.post(f"{path(contract)}/tasks", {"title": "Call"}, status=201)
    member.get(f"{path(contract)}/pdf", status=200)
    member.delete(path(contract), status=204)
    for method, rest in (("GET", ""), ("DELETE", ""), ("GET", "/pdf"), ("PUT", "/regenerate")):
        assert member.request(method, path(contract) + rest).status_int == 404
    for table in ("notes", "tasks", "contract_documents", "files", "file_chunks"):
        count = f"select count(*) from app.{table} where organization_id = %s"
        assert organization.owner.execute(count, (organization.id,)).fetchone() == (0,)


def test_a_contract_with_an_executed_copy_is_not_deleted(organization, member, contract):
    file_id = organization.insert("files", filename="a.pdf", content_type="application/pdf", size=1, sha256="0" * 64)
    organization.owner.execute(
        "update app.contracts set executed_file_id = %s where id = %s", (file_id, contract["id"])
    )
    assert member.delete(path(contract), status=409).json["code"] == "contract_locked"


def test_a_rename_of_company_or_deal_shows_at_once(organization, member, new_contract):
    contract = new_contract(deal_id=deal(organization))
    organization.owner.execute("update app.companies set name = 'Zebra' where id = %s", (contract["company_id"],))
    organization.owner.execute("update app.deals set title = 'Yak' where id = %s", (contract["deal_id"],))
    listed = member.get("/api/contracts?search=zebra+yak", status=200).json["data"]
    assert [(one["company_name"], one["deal_title"]) for one in listed] == [("Zebra", "Yak")]
