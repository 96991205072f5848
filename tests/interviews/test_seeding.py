"""Seeding: a draft configuration on the invite's deal, from the prospect's answers."""

from concurrent.futures import ThreadPoolExecutor

import pytest

from tests.interviews.language import question, template
from tests.support import interview

FIELD_MAP = [
    {"target": "platform_keys", "value": ["linux", "amiga"]},
    {"target": "license_type", "value": "floating"},
    {"target": "quantity", "question": "seats"},
]
SERVER = {"product_line": "server", "seats": 25}


@pytest.fixture
def definition(organization):
    """The configurator definition `server`, which knows linux and floating."""
    known = {"platform_keys": ["linux", "windows"], "license_types": ["floating"]}
    return organization.insert("configurator_definitions", name="Server", slug="server", **known)


@pytest.fixture
def deal(organization):
    return organization.insert("deals", title="Engines")


@pytest.fixture
def seeding(organization, anonymous, deal):
    """seeding(answers): the path that seeds from an invite submitted with these answers."""

    def make(answers, deal_id=deal, **form):
        invite = organization.invite(organization.template(field_map=FIELD_MAP, **form), deal_id=deal_id)
        anonymous.post(interview(invite) + "/submit", {"answers": answers}, status=200)
        return f"/api/interview-invites/{invite['id']}/seed-configuration"

    return make


@pytest.fixture
def stored(organization):
    """stored(): the organization's configurations."""
    rows = (
        "select id, deal_id, definition_id, status, platform_keys, license_type, quantity from app.configurations "
        "where organization_id = %s"
    )
    return lambda: organization.owner.execute(rows, [organization.id]).fetchall()


def test_the_answers_become_a_draft_on_the_deal(organization, definition, deal, seeding, stored):
    path = seeding(SERVER)
    made = organization.member.post(path, status=201).json["configuration_id"]
    assert organization.colleague.post(path, status=200).json == {"configuration_id": made}
    assert stored() == [(made, deal, definition, "draft", ["linux"], "floating", 25)]


def test_what_the_definition_lacks_is_left_out_and_listed(member, definition, seeding):
    (warning,) = member.post(seeding(SERVER), status=201).json["warnings"]
    assert (warning["target"], warning["key"], warning["code"]) == ("platform_keys", "amiga", "unknown_key")


def test_twenty_calls_at_once_make_one_configuration(member, definition, seeding, stored):
    path = seeding(SERVER)
    with ThreadPoolExecutor(20) as pool:
        answers = list(pool.map(lambda _: member.post(path), range(20)))
    assert sorted(answer.status_code for answer in answers) == [200] * 19 + [201]
    assert len({answer.json["configuration_id"] for answer in answers}) == 1
    assert len(stored()) == 1


def test_an_invite_needs_a_deal_an_answer_to_the_product_line_and_a_submit(
    organization, member, definition, deal, seeding
):
    assert member.post(seeding(SERVER, deal_id=None), status=422).json["code"] == "invite_has_no_deal"
    path = seeding({"seats": 3}, slug="seats", **template(question("seats", "number")))
    assert member.post(path, status=422).json["code"] == "product_line_unanswered"
    pending = organization.invite(organization.template(slug="pending"), deal_id=deal)
    path = f"/api/interview-invites/{pending['id']}/seed-configuration"
    assert member.post(path, status=409).json["code"] == "invite_not_submitted"


@pytest.mark.parametrize("active", [None, False])
def test_a_product_line_without_an_active_definition_is_refused(organization, member, seeding, active):
    if active is False:
        organization.insert("configurator_definitions", name="Desktop", slug="desktop", active=False)
    path = seeding({"product_line": "desktop"})
    assert member.post(path, status=422).json["code"] == "configurator_not_found"
