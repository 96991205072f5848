"""The list of merge tags that template authors see."""

import pytest

from pipeline.contracts import merge

KINDS = {"text", "money", "number", "date", "list", "block"}


def test_the_catalogue_explains_every_tag_grouped_by_entity(admin):
    groups = admin.get("/api/contract-templates/tags", status=200).json["data"]
    assert [group["entity"] for group in groups] == ["Licensee", "Deal", "Quote", "Contract"]
    for tag in (tag for group in groups for tag in group["tags"]):
        assert set(tag) == {"tag", "label", "type", "example"}
        assert all(tag.values())
        assert tag["type"] in KINDS
        assert "\n" not in tag["example"]


def test_the_tags_that_templates_have_been_written_with_stay():
    tags = {tag["tag"] for group in merge.catalogue() for tag in group["tags"]}
    for entity, names in {
        "Licensee": "name legal_name registration_number vat_id email phone website address street city region "
        "postal_code country contact_name contact_title contact_email",
        "Deal": "id title value currency stage owner_name owner_email expected_close_date product_line platforms "
        "features license_type quantity",
        "Quote": "number date valid_until currency subtotal discount_total tax_total total payment_terms notes "
        "lines lines_table",
        "Line": "position name sku description platform license_type quantity unit_price discount_percent tax_rate net",
        "Contract": "number name effective_date termination_date term_months status created_date licensor_name "
        "licensor_legal_name licensor_address licensor_street licensor_city licensor_region licensor_postal_code "
        "licensor_country licensor_email signature_block table_of_contents",
    }.items():
        assert {f"{entity}.{name}" for name in names.split()} <= tags


@pytest.mark.parametrize(
    ("country", "locale", "printed"),
    [("DE", "en", "Germany"), ("AT", "de_CH", "Österreich"), ("Germany", "de", "Germany"), ("XX", "en", "XX")],
)
def test_a_country_prints_by_its_name(country, locale, printed):
    assert merge.country_name(country, locale) == printed
