import json
from urllib.parse import urlencode

import pytest
from hypothesis import given, settings, strategies

from pipeline.interviews.answers.answers import check_shape
from tests.forms.conftest import DATA
from tests.support import interview

KEYS = [
    question["key"]
    for form in ("qualification.json", "software_evaluation.json")
    for question in json.loads((DATA / form).read_text())["questions"]
]
CONTROLS = ["_asked", "_step", "_go", "_live", "_return", "_state", "_request_key", "_website_confirm"]
NAMES = strategies.sampled_from([*CONTROLS, *KEYS, "platforms__other", "unknown"])
STEPS = ["you", "needs", "plans", "finish", "check-answers"]
BUTTONS = ["next", "back", "submit", "clear:seats", "step:needs"]
ANSWERS = ["yes", "no", "other", "license-server", "linux", "undecided", "1", "-0", "1e9", "1,5", "9" * 40]
NO_ANSWERS = ["2026-02-30", "0000-00-00", '{"seats": 1e400}', '{"platforms": [[]]}', "[" * 300, "\x00", "\r\n"]
VALUES = strategies.sampled_from([*STEPS, *BUTTONS, *ANSWERS, *NO_ANSWERS]) | strategies.text(max_size=20)
FORM = strategies.lists(strategies.tuples(NAMES, VALUES), max_size=25)
FEW = settings(max_examples=25)
STATES = {"step", "review", "submitted", "done"}


@pytest.fixture
def addresses(invite, evaluation):
    return [f"/forms/interview/{invite['token']}", f"/forms/capture/{evaluation['public_slug']}"]


@FEW
@given(pairs=FORM, every=strategies.booleans())
def test_any_form_is_answered_by_a_page(pairs, every, addresses, anonymous, invite, qualification):
    if every:
        pairs = [*(("_asked", question["key"]) for question in qualification["questions"]), *pairs]
    for address in addresses:
        headers = {"Content-Type": "application/x-www-form-urlencoded"}
        answer = anonymous.app.post(address, urlencode(pairs, errors="replace"), headers=headers, status="*")
        assert answer.status_int in (200, 303, 422)
        if answer.status_int == 303:
            answer = answer.maybe_follow()
        assert answer.html.body["data-state"] in STATES
    stored = anonymous.get(interview(invite), status=200).json["answers"]
    assert check_shape(qualification["questions"], stored) == []


@FEW
@given(query=strategies.dictionaries(strategies.sampled_from(["step", "lang", "r", "more", "return", "x"]), VALUES))
def test_any_address_is_answered_by_a_page(query, addresses, anonymous):
    for address in addresses:
        answer = anonymous.app.get(f"{address}?{urlencode(query, errors='replace')}").maybe_follow()
        assert answer.html.body["data-state"] in STATES
