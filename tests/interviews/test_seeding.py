from concurrent.futures import ThreadPoolExecutor
from decimal import Decimal

import pytest

from pipeline.interviews.templates.field_map import apply
from pipeline.interviews.templates.hints import rep_flags
from tests.interviews.language import condition, question, template
from tests.support import interview

FIELD_MAP = [
    {"target": "platform_keys", "value": ["linux", "amiga"]},
    {"target": "license_type", "value": "floating"},
    {"target": "quantity", "question": "seats"},
]
SERVER = {"product_line": "server", "seats": 25}


def configured(*rules, **answers):
    """What the rules yield, without what stays empty."""
    return {name: value for name, value in apply(list(rules), answers).items() if value}


@pytest.mark.parametrize("hints", [None, {}, {"rep_flags": None}])
@pytest.mark.parametrize(
    ("visible", "flags"),
    [
        ({}, []),
        ({"competitors": "Oracle"}, ["competitive_deal"]),
        ({"evaluating_others": True}, ["competitive_deal"]),
        ({"evaluating_others": False}, []),
        ({"timeline": "immediately"}, ["fast_timeline"]),
        ({"timeline": "within_30_days"}, ["fast_timeline"]),
        ({"timeline": "this_year"}, []),
        ({"compliance": ["soc2", "gdpr"]}, ["high_compliance"]),
        ({"compliance": ["soc2"]}, []),
        ({"compliance": "soc2, gdpr"}, []),
    ],
)
def test_a_template_without_flags_gets_built_in_ones_for_conventional_answers(hints, visible, flags):
    assert rep_flags(hints, visible) == flags


def test_an_explicit_empty_list_means_no_flags():
    assert rep_flags({"rep_flags": []}, {"competitors": "Oracle"}) == []


def test_keys_are_collected_as_a_union_in_first_seen_order():
    rules = [
        {"target": "feature_keys", "question": "needs", "map": {"login": ["sso", "mfa"], "logs": "audit"}},
        {"target": "feature_keys", "question": "sso", "map": {"true": "sso"}},
        {"target": "feature_keys", "value": ["api", "audit"]},
        {"target": "platform_keys", "question": "os"},  # without a map the answer is the value
    ]
    answers = {"needs": ["logs", "login"], "sso": True, "os": ["linux", "aix"]}
    expected = {"feature_keys": ["audit", "sso", "mfa", "api"], "platform_keys": ["linux", "aix"]}
    assert configured(*rules, **answers) == expected


def test_license_type_and_quantity_take_the_first_rule_that_yields():
    rules = [
        {"target": "license_type", "question": "model", "map": {"rent": "subscription"}},
        {"target": "license_type", "value": "perpetual"},
        {"target": "quantity", "question": "seats"},
        {"target": "quantity", "value": 10},
    ]
    assert configured(*rules, model="rent", seats=25) == {"license_type": "subscription", "quantity": 25}
    assert configured(*rules, model="buy") == {"license_type": "perpetual", "quantity": 10}


@pytest.mark.parametrize(
    ("seats", "found"),
    [(Decimal("25.0"), {"quantity": 25}), *((wrong, {}) for wrong in (0, -5, Decimal("2.5"), 10**12, "25", True))],
)
def test_a_quantity_is_a_positive_whole_number_or_none(seats, found):
    assert configured({"target": "quantity", "question": "seats"}, seats=seats) == found


def test_a_constant_with_a_question_or_a_condition_waits_for_its_answer():
    asked = {"target": "feature_keys", "question": "notes", "value": "support"}
    large = {"target": "feature_keys", "value": "sso", "when": condition("seats", "gte", 100)}
    assert configured(asked, large, seats=99) == {}
    assert configured(asked, large, notes="please call", seats=100) == {"feature_keys": ["support", "sso"]}


@pytest.mark.parametrize(
    ("answer", "name"), [(False, "false"), (Decimal("3.0"), "3"), (Decimal("2.50"), "2.5"), (0, "0"), (100, "100")]
)
def test_a_map_names_answers_as_they_are_written(answer, name):
    rule = {"target": "license_type", "question": "a", "map": {name: "found"}}
    assert configured(rule, a=answer) == {"license_type": "found"}


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


def stored(organization):
    columns = "id, deal_id, definition_id, status, platform_keys, license_type, quantity"
    rows = f"select {columns} from app.configurations where organization_id = %s"
    return organization.owner.execute(rows, [organization.id]).fetchall()


def test_the_answers_become_a_draft_on_the_deal_without_what_the_definition_lacks(
    organization, definition, deal, seeding
):
    path = seeding(SERVER)
    answer = organization.member.post(path, status=201).json
    made, (warning,) = answer["configuration_id"], answer["warnings"]
    assert (warning["target"], warning["key"], warning["code"]) == ("platform_keys", "amiga", "unknown_key")
    assert organization.colleague.post(path, status=200).json == {"configuration_id": made}
    assert stored(organization) == [(made, deal, definition, "draft", ["linux"], "floating", 25)]


def test_twenty_calls_at_once_make_one_configuration(member, definition, seeding, organization):
    path = seeding(SERVER)
    with ThreadPoolExecutor(20) as pool:
        answers = list(pool.map(lambda _: member.post(path), range(20)))
    assert sorted(answer.status_code for answer in answers) == [200] * 19 + [201]
    assert len({answer.json["configuration_id"] for answer in answers}) == 1
    assert len(stored(organization)) == 1


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
