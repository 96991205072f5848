"""Random interviews and answers within the rules of a template, with valid conditions."""

from tests.interviews.language import condition, question

TEXTS = ["", " ", "a", "ab", "Ab", "é", "e\u0301", "🚀", "cloud", "2026-01-31", "1", "true", "constructor"]
NUMBERS = [0, -0.0, 1, 1.0, 2, 9, 10, 100, -3, 0.1, 0.3, 0.300000000000001, 999999999999999, 99999999999999.9, 1e-7]
DATES = ["2025-12-31", "2026-01-31", "2026-02-01", "2026-10-01"]
OPTIONS = ["cloud", "server", "none", "1", "constructor"]
KINDS = {
    "short_text": TEXTS,
    "number": NUMBERS,
    "date": DATES,
    "yes_no": [True, False],
    "consent": [True, False],
    "single_choice": OPTIONS,
    "multi_choice": OPTIONS,
    "ranking": OPTIONS,
    "matrix": [{}, {"a": "x"}, {"a": "x", "constructor": "y"}],
    "address": [{}, {"city": "Bern"}, {"street": " "}],
    "scale": [1, 2, 5],
    "statement": [],
}
ORDER = ["eq", "ne", "in", "not_in", "gt", "gte", "lt", "lte"]
OPERATORS = {
    "short_text": ["eq", "ne", "in", "not_in", "contains", "not_contains", "contains_any", "contains_all"],
    "number": ORDER,
    "date": ORDER,
    "scale": ORDER,
    "yes_no": ["eq", "ne"],
    "consent": ["eq", "ne"],
    "single_choice": ["eq", "ne", "in", "not_in"],
    "multi_choice": ["contains", "not_contains", "contains_any", "contains_all"],
    "ranking": ["contains", "not_contains", "contains_any", "contains_all"],
    "matrix": [],
    "address": [],
}
SEVERAL = ("multi_choice", "ranking")
LISTS = ("in", "not_in", "contains_any", "contains_all")


def interview(chance):
    """Pages and questions of one interview; every condition looks back. `chance` is a random.Random."""
    questions = []
    for number in range(chance.randint(2, 9)):
        kind = chance.choice(list(KINDS))
        made = question("constructor" if number == 3 else f"q{number}", kind, **_one(chance, "visible_if", questions))
        if kind != "statement" and chance.random() < 0.3:
            made |= _one(chance, "required_if", questions)
        if kind == "matrix":
            made |= {part: [{"value": v, "label": v} for v in ("a", "x", "y")] for part in ("rows", "columns")}
        if kind.endswith("_choice") or kind == "ranking":
            made["options"] = [
                {"value": value, "label": value, **_one(chance, "visible_if", questions)}
                for value in chance.sample(OPTIONS, 3)
            ]
            if kind != "ranking":
                made["allow_other"] = chance.random() < 0.5
        questions.append(made)
    middle = chance.randint(1, len(questions) - 1)
    keys = [made["key"] for made in questions]
    second = {"key": "two", "questions": keys[middle:], **_one(chance, "visible_if", questions[:middle])}
    return {"pages": [{"key": "one", "questions": keys[:middle]}, second], "questions": questions}


def answers(chance, questions):
    """Answers that could be stored: right and half-typed ones, of hidden questions and hidden options too."""
    given = {}
    for one in questions:
        kind, key = one["type"], one["key"]
        if kind == "statement" or chance.random() < 0.25:
            continue
        values = [*KINDS[kind], "other"] if one.get("allow_other") else KINDS[kind]
        given[key] = chance.sample(values, chance.randint(0, 3)) if kind in SEVERAL else chance.choice(values)
        if kind == "date" and chance.random() < 0.2:
            given[key] = "2026-1"
        if one.get("allow_other"):
            given[f"{key}__other"] = chance.choice(["", "Solaris"])
        if chance.random() < 0.1:
            given[key] = None
    return given


def _one(chance, field, earlier):
    known = [one for one in earlier if one["type"] != "statement"]
    return {field: _condition(chance, known, 3)} if known and chance.random() < 0.6 else {}


def _condition(chance, known, depth):
    form = chance.choice(["all", "any", "not", *["question"] * 4]) if depth > 1 else "question"
    if form == "not":
        return {"not": _condition(chance, known, depth - 1)}
    if form != "question":
        return {form: [_condition(chance, known, depth - 1) for _ in range(chance.randint(1, 3))]}
    about = chance.choice(known)
    operator = chance.choice(["answered", "empty", *OPERATORS[about["type"]] * 2])
    if operator in ("answered", "empty"):
        return condition(about["key"], operator)
    values = [value for value in _values(about) if value != "" and value != " "]
    if operator in LISTS:
        return condition(about["key"], operator, chance.sample(values, min(len(values), chance.randint(1, 3))))
    return condition(about["key"], operator, chance.choice(values))


def _values(about):
    offered = [option["value"] for option in about.get("options", [])] or KINDS[about["type"]]
    return [*offered, "other"] if about.get("allow_other") else offered
