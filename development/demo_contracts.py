"""The demo's contracts, created from the licence agreement by the functions of the API."""

import json
from datetime import date, timedelta

from pipeline.contracts import schemas, service
from pipeline.contracts.templates import clauses
from pipeline.contracts.templates.service import create_template, set_logo
from pipeline.database import loads
from pipeline.records import fields

# For each of the demo's deals: days from today to the effective date, months, own fields, statuses moved through.
CONTRACTS = (
    (-200, 36, {"governing_law": "The law of Ireland", "liability_cap": 250_000}, ("active",)),
    (14, 12, {"governing_law": "The law of Ireland"}, ()),
    (-345, 12, {}, ("active",)),
    (-90, 24, {"liability_cap": 100_000}, ("active", "terminated")),
)


def add_contracts(connection, caller, deals, data):
    """Add own fields, a clause, the template with its logo, and a contract for each deal.

    caller: the Identity of an admin; deals: ids; data: the folder of the demo's files. Needs a transaction with the
    organization's context, bound to the queries.
    """
    # Under row-level security, as in a request: the queries name no organization.
    connection.execute("select set_config('role', 'pipeline_admin', true)")
    _add_terms(caller, data)
    template_id = _add_template(caller, data)
    for deal_id, (days, months, own, moves) in zip(deals, CONTRACTS, strict=True):
        body = {
            "template_id": template_id,
            "effective_date": str(date.today() + timedelta(days=days)),
            "term_months": months,
            "deal_id": deal_id,
            "fields": own,
        }
        made = service.create_contract(caller, schemas.Contract().read(body), slot=at_once)
        for status in moves:
            change = {**body, "status": status}
            service.update_contract(
                loads(made)["id"], schemas.ContractChange().read(change), {"revisions": None}, at_once
            )
    connection.execute("select set_config('role', 'none', true)")


def at_once():
    """A slot that is always free: nothing else runs."""


def _add_terms(caller, data):
    terms = json.loads((data / "contract_terms.json").read_text())
    for field in terms["fields"]:
        fields.create_field(caller, fields.NewField().read({"kind": "contract", **field}))
    for clause in terms["clauses"]:
        clauses.create_clause(caller, clauses.NewClause().read(clause))


def _add_template(caller, data):
    settings = json.loads((data / "licence_agreement.json").read_text())
    body = {**settings, "content": (data / "licence_agreement.html").read_text()}
    id = create_template(caller, schemas.Template().read(body))
    with (data / "logo.png").open("rb") as logo:
        set_logo(caller, id, logo)
    return id
