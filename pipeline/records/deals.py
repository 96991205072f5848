"""Deals and their stages."""

from collections.abc import Iterable

from pipeline.database import queries
from pipeline.http.declared import batch, record
from pipeline.http.shapes import NUMBER, Record
from pipeline.records.activities import check_seat
from pipeline.records.amounts import into_minor_units
from pipeline.validation import (
    Body,
    Currency,
    Date,
    ExternalId,
    Id,
    Integer,
    Money,
    Text,
    Values,
    Violation,
    optional,
    required,
)


class DealStage(Body):
    """A stage; `position` defaults to last."""

    name = required(Text())
    position = optional(Integer(max=1_000_000))


class Deal(Body):
    """A deal; `currency` defaults to the organization's."""

    title = required(Text())
    value = optional(Money(), default=0)
    currency = optional(Currency())
    stage_id = optional(Id("deal_stage"))
    company_id = optional(Id("company"))
    contact_id = optional(Id("contact"))
    owner_id = optional(Id("seat"))
    expected_close_date = optional(Date())
    product_line = optional(Text())
    external_id = optional(ExternalId("deal"))

    def look_up(self, values: Values) -> Iterable[Violation]:
        if "currency" not in values:
            return ()
        values["currency"] = values["currency"] or queries.organization_currency()
        return into_minor_units(self, values, values["currency"])


stages, stage = record("/deal-stages", "deal_stage", "deal_stages", body=DealStage())
DEAL = Record("deal", value=NUMBER)
deals, deal = record(
    "/deals",
    "deal",
    "deals",
    body=Deal(),
    shows=DEAL,
    fails=("external_id_taken",),
    check=lambda id, body: check_seat("owner_id", body, deal_id=id),
)
deal_batch = batch("/deals", "deal", "deals", body=Deal(), shows=DEAL)
