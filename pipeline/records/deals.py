"""Deals and their stages. Where a function answers None, there is no such record."""

from pipeline.database import queries
from pipeline.pages import list_page
from pipeline.validation import invalid_field


def list_stages(query):
    """The Page of deal stages that a DealStages query asks for."""
    return list_page(query, queries.deal_stage_list)


def get_stage(id):
    """One stage as JSON bytes, or None."""
    return queries.deal_stage_get.json(id=id)


def create_stage(body):
    """A new stage: JSON bytes."""
    return get_stage(queries.deal_stage_insert(**body))


def update_stage(id, body):
    """Replace a stage's fields: JSON bytes, or None."""
    queries.deal_stage_update(id=id, **body)
    return get_stage(id)


def delete_stage(id):
    """Delete a stage: how many were deleted; 409 while a deal stands at it."""
    return queries.deal_stage_delete(id=id)


def list_deals(query):
    """The Page of deals that a Deals query asks for."""
    return list_page(query, queries.deal_list, "deals")


def get_deal(id):
    """One deal as JSON bytes, or None."""
    return queries.deal_get.json(id=id)


def create_deal(body):
    """A new deal: JSON bytes; 422 names what does not exist, or an owner without an active seat."""
    _check_owner(None, body["owner_id"])
    return get_deal(queries.deal_insert(**body))


def update_deal(id, body):
    """Replace a deal's fields: JSON bytes, or None; its owner may stay when their seat is off by now."""
    _check_owner(id, body["owner_id"])
    queries.deal_update(id=id, **body)
    return get_deal(id)


def delete_deal(id):
    """Delete a deal: how many were deleted; 409 while a quote, contract or another record refers to it."""
    return queries.deal_delete(id=id)


def _check_owner(deal_id, owner_id):
    if owner_id is not None and not queries.deal_owner_possible(id=deal_id, owner_id=owner_id):
        raise invalid_field("owner_id", "unknown_reference", "There is no such active seat.")
