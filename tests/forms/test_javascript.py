"""The module's parts that need no browser, run by Node.js; and both evaluators of conditions against each other."""

import json
import random
import subprocess
from decimal import Decimal
from pathlib import Path

from pipeline.interviews.templates.conditions import is_required, offered_values, visible
from pipeline.interviews.templates.questions import characters
from tests.interviews.language import condition, question, template
from tests.interviews.test_conditions import VECTORS

SCRIPTS = Path(__file__).with_name("js")
# Values that an answer of a type may have, right and half-typed ones; those of choices are their options.
VALUES = {
    "short_text": ["", " ", "go", "x", "y", "end", "spring"],
    "number": [0, 1, 9.5, 10, 99, 100, 200],
    "yes_no": [True, False],
    "matrix": [{}, {"r": "x"}, {"r": "x", "constructor": "y"}],
    "address": [{}, {"city": "Bern"}, {"street": " "}],
    "statement": ["x"],
}


def node(*arguments, **options):
    """What Node.js printed; a failure shows it."""
    run = subprocess.run(["node", *arguments], capture_output=True, text=True, check=False, **options)
    assert run.returncode == 0, run.stdout + run.stderr
    return run.stdout


def test_the_server_counts_characters_as_people_and_the_module_do():
    vectors = json.loads((SCRIPTS.parent / "character_vectors.json").read_text())
    assert [characters(vector["text"]) for vector in vectors] == [vector["expect"] for vector in vectors]


def evaluated(case):
    shown, counting, _ = visible(case, case["answers"], {})
    return {
        "questions": [question["key"] for question in shown],
        "answers": counting,
        "required": [question["key"] for question in shown if is_required(question, counting)],
        "offered": [offered_values(question, counting) for question in shown if "options" in question],
    }


def comparisons():
    """Each comparison of the vectors with the answers of all of them."""
    for vector in VECTORS["comparisons"]:
        for operator in vector["expect"]:
            when = condition("q", operator, vector.get("value"))
            interview = template(question("q"), question("b", visible_if=when), question("c", required_if=when))
            for other in VECTORS["comparisons"]:
                yield {**interview, "answers": other["answers"]}


def answer(chance, question):
    """An answer that could be stored, of a hidden question and hidden options too."""
    values = [option["value"] for option in question.get("options", [])]
    if question["type"] in ("multi_choice", "ranking"):
        return chance.sample([*values, "other"], chance.randint(0, len(values)))
    return chance.choice([*(VALUES.get(question["type"]) or [*values, "other", "gone"]), None])


def answered_templates(chance):
    """The templates of the vectors, each with a number of random answer sets."""
    for interview in VECTORS["templates"].values():
        for _ in range(500):
            answers = {one["key"]: answer(chance, one) for one in interview["questions"] if chance.random() < 0.8}
            yield {**interview, "answers": {"one__other": "z", "many__other": "", **answers}}


def test_the_modules_pass_their_own_tests():
    node("--test", *sorted(map(str, SCRIPTS.glob("*.test.mjs"))))


def test_both_evaluators_agree_on_thousands_of_interviews():
    cases = [*comparisons(), *answered_templates(random.Random(4711))]
    lines = [json.dumps(case, default=float) for case in cases]
    made = node(str(SCRIPTS / "evaluate.mjs"), input="\n".join(lines)).splitlines()
    for line, result in zip(lines, made, strict=True):
        expected = evaluated(json.loads(line, parse_float=Decimal))
        assert json.loads(result, parse_float=Decimal) == expected, line
