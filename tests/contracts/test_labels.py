"""Contracts print labels of choices instead of their keys."""

import pytest

from tests.contracts.support import deal

CONTENT = (
    "<p>{{Deal.product_line}}: {{Deal.platforms}} / {{Deal.license_type}}</p>"
    '<ul><li data-each="Deal.features">{{Line.name}}</li></ul><p>{{Quote.lines_table}}</p>'
)


@pytest.fixture
def definition(admin):
    """A configurator definition with labels for some of its keys."""
    body = {
        "name": "License Server",
        "slug": "license-server",
        "platform_keys": ["linux", "vxworks"],
        "feature_keys": ["audit-log"],
        "license_types": ["perpetual"],
        "labels": {"linux": "Linux", "perpetual": "Perpetual licence", "audit-log": "Audit log"},
    }
    return admin.post("/api/configurator-definitions", body, status=201).json


@pytest.fixture
def printed(organization, new_template, new_contract):
    """printed(**configuration): the text of a contract for a deal with a configuration and one line."""

    def content(**configuration):
        deal_id = deal(organization)
        organization.insert("configurations", deal_id=deal_id, **configuration)
        quote_id = organization.insert("quotes", deal_id=deal_id, quote_number="Q-1", currency="EUR")
        line = {"sku": "S", "platform": "linux", "license_type": "perpetual", "unit_price_minor": 100}
        organization.insert("quote_lines", quote_id=quote_id, position=1, **line)
        return new_contract(template_id=new_template(content=CONTENT)["id"], deal_id=deal_id)["content"]

    return content


def test_platforms_features_and_licence_types_print_by_their_labels(definition, printed):
    content = printed(
        definition_id=definition["id"], platform_keys=["linux"], feature_keys=["audit-log"], license_type="perpetual"
    )
    assert "<p>License Server: Linux / Perpetual licence</p><ul><li>Audit log</li></ul>" in content
    assert "<td>S<br>Linux<br>Perpetual licence</td>" in content


def test_conditions_compare_the_keys(definition, organization, new_template, new_contract):
    deal_id = deal(organization, product_line="license-server")
    keys = {"platform_keys": ["linux"], "license_type": "perpetual"}
    organization.insert("configurations", deal_id=deal_id, definition_id=definition["id"], **keys)
    conditions = ("Deal.platforms has linux", "Deal.license_type = perpetual", "Deal.product_line = license-server")
    content = "".join(f'<p data-if="{condition}">{number}</p>' for number, condition in enumerate(conditions))
    contract = new_contract(template_id=new_template(content=content)["id"], deal_id=deal_id)
    assert contract["content"] == "<p>0</p><p>1</p><p>2</p>"


def test_without_a_label_the_prospects_option_or_else_the_key_prints(organization, definition, printed):
    offered = [{"value": "vxworks", "label": "VxWorks 7"}, {"value": "linux", "label": "Penguin"}]
    question = {"key": "platforms", "type": "multi_choice", "label": "Where?", "options": offered}
    page = {"key": "first", "title": "First", "questions": ["platforms"]}
    asked = organization.template(pages=[page], questions=[question])
    invite = organization.invite(asked, deal_id=deal(organization))
    keys = {"platform_keys": ["vxworks", "linux", "qnx"]}
    assert "VxWorks 7, Linux, qnx" in printed(definition_id=definition["id"], invite_id=invite["id"], **keys)
