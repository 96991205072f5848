"""The module's parts that need no browser, run by Node.js; and both evaluators of conditions against each other."""

import json
import random
import subprocess
from decimal import Decimal
from pathlib import Path

from pipeline.interviews.conditions import is_required, offered_values, visible
from tests.forms import random_interviews
from tests.interviews.language import check_template

SCRIPTS = Path(__file__).with_name("js")
INTERVIEWS, ANSWERS = 400, 10


def node(*arguments, **options):
    """What Node.js printed; a failure shows it."""
    run = subprocess.run(["node", *arguments], capture_output=True, text=True, check=False, **options)
    assert run.returncode == 0, run.stdout + run.stderr
    return run.stdout


def evaluated(case):
    """What the server's evaluator makes of an interview with answers."""
    shown, counting, _ = visible(case, case["answers"], {})
    return {
        "questions": [question["key"] for question in shown],
        "answers": counting,
        "required": [question["key"] for question in shown if is_required(question, counting)],
        "offered": [offered_values(question, counting) for question in shown if "options" in question],
    }


def cases(chance):
    """Random interviews, each with a number of random answer sets."""
    for _ in range(INTERVIEWS):
        interview = random_interviews.interview(chance)
        for _ in range(ANSWERS):
            yield {**interview, "answers": random_interviews.answers(chance, interview["questions"])}


def test_the_modules_pass_their_own_tests():
    node("--test", *sorted(map(str, SCRIPTS.glob("*.test.mjs"))))


def test_both_evaluators_agree_on_thousands_of_random_interviews():
    lines = [json.dumps(case) for case in cases(random.Random(4711))]
    made = node(str(SCRIPTS / "evaluate.mjs"), input="\n".join(lines)).splitlines()
    for line, result in zip(lines, made, strict=True):
        expected = evaluated(json.loads(line, parse_float=Decimal))
        assert json.loads(result, parse_float=Decimal) == expected, line


def test_the_random_interviews_could_be_saved_and_hide_about_half():
    chance = random.Random(815)
    shown = asked = 0
    for _ in range(200):
        interview = random_interviews.interview(chance)
        assert check_template(interview) == []
        answers = random_interviews.answers(chance, interview["questions"])
        shown += len(evaluated({**interview, "answers": answers})["questions"])
        asked += len(interview["questions"])
    assert 0.3 < shown / asked < 0.8
