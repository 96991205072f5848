"""The list of merge tags that template authors see."""

import pytest

from pipeline.contracts import merge

FIELDS = {
    "Licensee": "name legal_name registration_number vat_id email phone website address street city region postal_code "
    "country contact_name contact_title contact_email",
    "Deal": "id title value currency stage owner_name owner_email expected_close_date product_line platforms features "
    "license_type quantity",
    "Quote": "number date valid_until currency subtotal discount_total tax_total total payment_terms notes "
    "lines lines_table",
    "Line": "position name sku description platform license_type quantity unit_price discount_percent tax_rate net",
    "Contract": "number name effective_date termination_date term_months status created_date licensor_name "
    "licensor_legal_name licensor_address licensor_street licensor_city licensor_region licensor_postal_code "
    "licensor_country licensor_email signature_block table_of_contents",
}


def test_the_catalogue_holds_every_tag_grouped_by_entity():
    groups = {group["entity"]: [tag["tag"] for tag in group["tags"]] for group in merge.catalogue()}
    assert list(groups) == ["Licensee", "Deal", "Quote", "Contract"]
    named = {entity: [f"{entity}.{field}" for field in fields.split()] for entity, fields in FIELDS.items()}
    named["Quote"] += named.pop("Line")
    assert groups == named


@pytest.mark.parametrize("group", merge.catalogue(), ids=lambda group: group["entity"])
def test_every_tag_is_explained(group):
    for tag in group["tags"]:
        assert set(tag) == {"tag", "label", "type", "example"}
        assert tag["type"] in {"text", "money", "number", "date", "list", "block"}
        assert tag["label"]
        assert tag["example"]
        assert "\n" not in tag["example"]


@pytest.mark.parametrize(
    ("country", "locale", "printed"),
    [
        ("DE", "en", "Germany"),
        ("AT", "de_CH", "Österreich"),
        ("Germany", "de", "Germany"),
        ("XX", "en", "XX"),
        (None, "en", None),
        ("", "en", ""),
    ],
)
def test_a_country_prints_by_its_name(country, locale, printed):
    assert merge.country_name(country, locale) == printed
