"""Contracts print the labels of choices, and compare their keys."""

import pytest

from tests.contracts.support import deal

CONTENT = (
    "<p>{{Deal.product_line}}: {{Deal.platforms}} / {{Deal.license_type}}</p>"
    '<ul><li data-each="Deal.features">{{Line.name}}</li></ul><p data-if="Deal.platforms has linux">For Linux</p>'
    "<p>{{Quote.lines_table}}</p>"
)


@pytest.fixture
def definition(admin):
    """The id of a configurator definition with labels for some of its keys."""
    body = {
        "name": "License Server",
        "slug": "license-server",
        "platform_keys": ["linux", "vxworks"],
        "feature_keys": ["audit-log"],
        "license_types": ["perpetual"],
        "labels": {"linux": "Linux", "perpetual": "Perpetual licence", "audit-log": "Audit log"},
    }
    return admin.post("/api/configurator-definitions", body, status=201).json["id"]


@pytest.fixture
def printed(organization, definition, new_template, new_contract):
    """printed(**configuration): the text of a contract for a deal with a configuration and one line."""

    def content(**configuration):
        deal_id = deal(organization)
        organization.insert("configurations", deal_id=deal_id, definition_id=definition, **configuration)
        quote_id = organization.insert("quotes", deal_id=deal_id, quote_number="Q-1", currency="EUR")
        line = {"sku": "S", "platform": "linux", "license_type": "perpetual", "unit_price_minor": 100}
        organization.insert("quote_lines", quote_id=quote_id, position=1, **line)
        return new_contract(template_id=new_template(content=CONTENT)["id"], deal_id=deal_id)["content"]

    return content


def test_platforms_features_and_licence_types_print_by_their_labels_and_are_compared_by_their_keys(printed):
    content = printed(platform_keys=["linux"], feature_keys=["audit-log"], license_type="perpetual")
    assert "<p>License Server: Linux / Perpetual licence</p><ul><li>Audit log</li></ul><p>For Linux</p>" in content
    assert "<td>S<br>Linux<br>Perpetual licence</td>" in content


def test_without_a_label_the_prospects_option_or_else_the_key_prints(organization, printed):
    offered = [{"value": "vxworks", "label": "VxWorks 7"}, {"value": "linux", "label": "Penguin"}]
    question = {"key": "platforms", "type": "multi_choice", "label": "Where?", "options": offered}
    page = {"key": "first", "title": "First", "questions": ["platforms"]}
    invite = organization.invite(organization.template(pages=[page], questions=[question]), deal_id=deal(organization))
    content = printed(invite_id=invite["id"], platform_keys=["vxworks", "linux", "qnx"])
    assert "VxWorks 7, Linux, qnx" in content
