"""Qualifies leads."""

from typing import Any

from pipeline.api.fields import own_fields
from pipeline.database import Row, dumps, queries
from pipeline.http.security import Identity
from pipeline.validation import Values, Violation, invalid_field
from pipeline.validation.codes import sentence
from pipeline.validation.errors import Problem


def qualify_lead(caller: Identity, id: int, body: Values) -> dict[str, Any] | None:
    """Creates a contact and, on request, a company and deal; returns the linked ids, or None.

    Keeps existing links, and carries own fields of equal key and type; 422 without a company name or stage.
    """
    lead = queries.lead_lock(id=id)
    if lead is None:
        return None
    queries.lead_qualification_turn(organization_id=caller.organization_id)
    company_id = _company(lead, body)
    links: dict[str, int | None] = {"contact_id": _contact(lead, body, company_id), "company_id": company_id}
    links["deal_id"] = _deal(caller, lead, body, links)
    queries.lead_qualified(id=id, **links)
    for link in (queries.lead_link_notes, queries.lead_link_tasks, queries.lead_link_emails):
        link(id=id, **links)
    return {"success": True, **links}


def _company(lead: Row, body: Values) -> int | None:
    if lead["company_id"] or not body["create_company"]:
        return lead["company_id"]
    if not lead["company"]:
        code = "lead_has_no_company"
        raise Problem(code, sentence(code), [Violation("create_company", code, sentence(code))])
    found, carried = queries.lead_company_find(company=lead["company"]), own_fields.carried(lead["fields"], "company")
    if not found:
        company = {"name": lead["company"], "fields": carried.new}
        return queries.company_insert(rows=dumps([company]).decode())[0]["id"]
    if carried.known:
        queries.lead_company_fill(id=found, fields=_json(carried.known))
    return found


def _contact(lead: Row, body: Values, company_id: int | None) -> int:
    if lead["contact_id"] and not body["contact_id"]:
        queries.lead_contact_employ(contact_id=lead["contact_id"], company_id=company_id)
        return lead["contact_id"]
    found, carried = body["contact_id"] or _namesake(lead), own_fields.carried(lead["fields"], "contact")
    given = {"id": lead["id"], "company_id": company_id}
    if not found:
        return queries.lead_contact_insert(fields=_json(carried.new), **given)
    queries.lead_contact_fill(contact_id=found, fields=_json(carried.known), **given)
    return found


def _namesake(lead: Row) -> int | None:
    return queries.lead_contact_find(email=lead["email"], name=lead["name"]) if lead["email"] else None


def _json(values: Values) -> str:
    return dumps(values).decode()


def _deal(caller: Identity, lead: Row, body: Values, links: dict[str, int | None]) -> int | None:
    stage_id = queries.lead_deal_stage(stage_id=body["deal_stage_id"])
    if body["deal_stage_id"] and not stage_id:
        raise invalid_field("deal_stage_id", "unknown_reference")
    if lead["deal_id"] or not body["create_deal"]:
        return lead["deal_id"]
    deal = {
        "title": (body["deal_name"] or lead["company"] or lead["name"])[:255],
        "value_minor": body["deal_value"],
        "stage_id": stage_id,
        "owner_id": lead["assigned_to"] or caller.user_id,
        "fields": own_fields.carried(lead["fields"], "deal").new,
        **links,
    }
    return queries.deal_insert(rows=dumps([deal]).decode())[0]["id"]
