"""Deals and their stages."""

from collections.abc import Iterable

from pipeline.api.declared import Records
from pipeline.api.fields.own_fields import OWN, OwnValues
from pipeline.api.shapes import NUMBER, Record
from pipeline.database import queries
from pipeline.http.scopes import RECORDS
from pipeline.records.amounts import into_minor_units
from pipeline.validation import (
    Body,
    Currency,
    Date,
    ExternalId,
    Id,
    Integer,
    Money,
    Name,
    Text,
    Values,
    Violation,
    optional,
    required,
)


class DealStage(Body):
    """A stage; `position` defaults to last."""

    name = required(Name())
    position = optional(Integer(max=1_000_000))


class Deal(Body):
    """A deal; `currency` defaults to the organization's."""

    title = required(Name())
    value = optional(Money(), default=0)
    currency = optional(Currency())
    stage_id = optional(Id("deal_stage"))
    company_id = optional(Id("company"))
    contact_id = optional(Id("contact"))
    owner_id = optional(Id("seat"))
    expected_close_date = optional(Date())
    product_line = optional(Text())
    external_id = optional(ExternalId("deal"))
    # Body has a property `fields`.
    values = optional(OwnValues("deal"), name="fields")

    def look_up(self, values: Values) -> Iterable[Violation]:
        if "currency" not in values:
            return ()
        values["currency"] = values["currency"] or queries.organization_currency()
        return into_minor_units(self, values, values["currency"])


stages = Records("/deal-stages", "deal_stage", area=RECORDS, body=DealStage())
stages.list("list_deal_stages")
stages.create("create_deal_stage")
stages.get("get_deal_stage")
stages.update("update_deal_stage", "patch_deal_stage")
stages.delete("delete_deal_stage")

deals = Records(
    "/deals",
    "deal",
    area=RECORDS,
    body=Deal(),
    shows=Record("deal", value=NUMBER, fields=OWN),
    fails=("external_id_taken",),
)
deals.list("list_deals")
deals.create("create_deal")
deals.get("get_deal")
deals.update("update_deal", "patch_deal")
deals.delete("delete_deal")
deals.batch("batch_deals")
