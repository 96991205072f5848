"""Seeding: a draft configuration on the invite's deal, from the prospect's answers."""

from concurrent.futures import ThreadPoolExecutor

import pytest

from tests.support import interview

FIELD_MAP = [
    {"target": "platform_keys", "value": ["linux", "amiga"]},
    {"target": "license_type", "value": "floating"},
    {"target": "quantity", "question": "seats"},
]


@pytest.fixture
def definition(organization):
    """The configurator definition `server`, which knows linux and floating."""
    return organization.insert(
        "configurator_definitions",
        name="Server",
        slug="server",
        platform_keys=["linux", "windows"],
        license_types=["floating"],
    )


@pytest.fixture
def deal(organization):
    return organization.insert("deals", title="Engines")


@pytest.fixture
def submitted(organization, anonymous, deal):
    """submitted(answers, **invite): a submitted invite's seeding path."""

    def make(answers, deal_id=deal, field_map=FIELD_MAP, product_required=True):
        template = organization.template(field_map=field_map)
        invite = organization.invite(template, deal_id=deal_id)
        anonymous.post(interview(invite) + "/submit", {"answers": answers}, status=200)
        return f"/api/interview-invites/{invite['id']}/seed-configuration"

    return make


def stored(owner, organization):
    return owner.execute(
        "select id, deal_id, definition_id, status, platform_keys, license_type, quantity from app.configurations "
        "where organization_id = %s",
        [organization.id],
    ).fetchall()


def test_the_answers_become_a_draft_on_the_deal(organization, definition, deal, submitted, owner):
    path = submitted({"product_line": "server", "seats": 25})
    answer = organization.member.post(path, status=201).json
    assert organization.colleague.post(path, status=200).json == {"configuration_id": answer["configuration_id"]}
    assert stored(owner, organization) == [
        (answer["configuration_id"], deal, definition, "draft", ["linux"], "floating", 25)
    ]


def test_what_the_definition_lacks_is_left_out_and_listed(organization, definition, submitted):
    answer = organization.member.post(submitted({"product_line": "server"}), status=201).json
    (warning,) = answer["warnings"]
    assert (warning["target"], warning["key"], warning["code"]) == ("platform_keys", "amiga", "unknown_key")


def test_twenty_calls_at_once_make_one_configuration(organization, definition, submitted, owner):
    path = submitted({"product_line": "server"})
    with ThreadPoolExecutor(20) as pool:
        answers = list(pool.map(lambda _: organization.member.post(path), range(20)))
    assert sorted(answer.status_code for answer in answers) == [200] * 19 + [201]
    assert len({answer.json["configuration_id"] for answer in answers}) == 1
    assert len(stored(owner, organization)) == 1


def test_an_invite_must_be_submitted(organization, definition, deal):
    invite = organization.invite(deal_id=deal)
    path = f"/api/interview-invites/{invite['id']}/seed-configuration"
    assert organization.member.post(path, status=409).json["code"] == "invite_not_submitted"


def test_an_invite_without_a_deal_cannot_be_seeded(organization, definition, submitted):
    path = submitted({"product_line": "server"}, deal_id=None)
    assert organization.member.post(path, status=422).json["code"] == "invite_has_no_deal"


def test_the_product_line_must_be_answered(organization, definition, anonymous, deal):
    questions = [{"key": "seats", "type": "number", "label": "Seats"}]
    template = organization.template(questions=questions, pages=[{"key": "a", "title": "A", "questions": ["seats"]}])
    invite = organization.invite(template, deal_id=deal)
    anonymous.post(interview(invite) + "/submit", {"answers": {"seats": 3}}, status=200)
    path = f"/api/interview-invites/{invite['id']}/seed-configuration"
    assert organization.member.post(path, status=422).json["code"] == "product_line_unanswered"


@pytest.mark.parametrize("active", [None, False])
def test_a_product_line_without_an_active_definition_is_refused(organization, submitted, active):
    if active is False:
        organization.insert("configurator_definitions", name="Desktop", slug="desktop", active=False)
    answer = organization.member.post(submitted({"product_line": "desktop"}), status=422)
    assert answer.json["code"] == "configurator_not_found"
