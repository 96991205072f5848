import copy

import pytest

from pipeline.validation.colors import contrast
from tests.interviews.language import (
    EVERY_TYPE,
    check_template,
    condition,
    question,
    template,
    violations,
    violations_of,
)

ROWS = [{"value": "a", "label": "A"}, {"value": "b", "label": "B"}]
MANY = [{"value": f"o{number}", "label": "O"} for number in range(20)]
MATRIX = {"type": "matrix", "rows": MANY, "columns": MANY[:10]}
MARKED = {"type": "consent", "label": "a**b*" * 200}


def test_a_template_with_every_question_type_can_be_saved():
    assert violations(EVERY_TYPE) == {}


NONE = condition("none", "answered")


@pytest.mark.parametrize(
    ("part", "name", "code"),
    [
        ({"pages": [{"key": "p", "questions": ["a", "none"]}]}, "pages.0.questions.1", "unknown_question"),
        ({"pages": [{"key": "p", "questions": ["a"], "visible_if": NONE}]}, "pages.0.visible_if.question", None),
        ({"pages": [{"key": "P p", "questions": ["a"]}]}, "pages.0.key", "invalid_format"),
        ({"pages": []}, "pages", "required"),
        ({"hints": {"lead_fields": {"email": "none"}}}, "hints.lead_fields.email", "unknown_question"),
        ({"hints": {"rep_tips": {"none": "Ask"}}}, "hints.rep_tips.none", "unknown_question"),
        (
            {"hints": {"rep_flags": [{"flag": "f", "label": "F", "when": NONE}]}},
            "hints.rep_flags.0.when.question",
            None,
        ),
        ({"hidden_fields": ["a"]}, "hidden_fields.0", "duplicate_key"),
        ({"hidden_fields": ["lang"]}, "hidden_fields.0", "reserved"),
        ({"language": "xx"}, "language", "unknown_locale"),
        ({"slug": "A b"}, "slug", "invalid_format"),
        ({"colour": "red"}, "colour", "unknown_field"),
    ],
)
def test_every_faulty_part_is_named_beside_a_faulty_question(part, name, code):
    pages = [{"key": "p", "questions": ["a"]}]
    found = violations({"questions": [question("a"), question("B b")], "pages": pages, **part})
    assert found == {"questions.1.key": "invalid_format", name: code or "unknown_question"}


@pytest.mark.parametrize(
    ("parts", "most"),
    [
        (MATRIX, 5),
        ({"type": "scale", "min": 0, "max": 99}, 10),
        ({"type": "ranking", "options": MANY}, 2),
        ({"type": "multi_choice", "options": MANY}, 50),
        ({"type": "single_choice", "options": MANY[:3], "allow_other": True}, 200),
        ({"type": "address"}, 3),
    ],
)
def test_a_page_has_a_thousand_controls_at_most(parts, most):
    questions = [question(f"q{number}", **parts) for number in range(most + 1)]
    assert violations_of(*questions[:most]) == {}
    assert violations_of(*questions) == {"pages.0.questions": "too_many_controls"}
    keys = [one["key"] for one in questions]
    two = [{"key": "p", "questions": keys[:most]}, {"key": "r", "questions": keys[most:]}]
    assert violations_of(*questions, pages=two) == {}


def test_the_text_with_which_a_template_has_too_many_marks_is_named():
    questions = [question(f"q{number}", **MARKED) for number in range(6)]
    plain = [question(f"p{number}", label="*" * 900) for number in range(5)]  # whose label is no markdown
    assert violations_of(*questions[:5], *plain) == {}
    (found,) = check_template(template(*questions))
    assert (found.name, found.code) == ("questions.5.label", "too_many_marks")
    assert "3600 marks" in found.message


def test_marks_count_in_every_text_that_is_markdown():
    text = "[*\\*]\n" * 700
    page = {"key": "one", "questions": ["a"], "description": text}
    for found in (
        violations_of(question("a"), pages=[page]),
        violations_of(question("a", help=text)),
        violations_of(question("a"), thank_you={"body": text}),
    ):
        assert list(found.values()) == ["too_many_marks"]


@pytest.mark.parametrize(("marks", "found"), [(900, {}), (1000, {"translations.de": "too_many_marks"})])
def test_each_language_has_its_own_marks(marks, found):
    german = {f"questions.q{number}.label": "*" * marks for number in range(2)}
    questions = [question(f"q{number}", **MARKED) for number in range(4)]
    assert violations_of(*questions, language="en", translations={"fr": {}, "de": german}) == found


@pytest.mark.parametrize("place", ["", "questions.9.options.1.", "hints.rep_flags.0.when.", "field_map.0."])
def test_an_unknown_field_is_refused_wherever_it_stands(place):
    node = body = copy.deepcopy(EVERY_TYPE)
    for step in place.split(".")[:-1]:
        node = node[int(step) if step.isdigit() else step]
    node["colour"] = "red"
    assert violations(body) == {f"{place}colour": "unknown_field"}


@pytest.mark.parametrize("key", ["Seats", "1st", "a__b", "a__other", "a-b", "a" * 41, "ä"])
def test_a_key_is_a_short_lower_case_word_without_a_double_underscore(key):
    assert set(violations_of(question(key)).values()) & {"invalid_format", "too_long"}


def test_keys_of_questions_and_pages_are_unique_and_each_question_stands_on_exactly_one_page():
    pages = [{"key": "p", "questions": ["a", "platfrom"]}, {"key": "p", "questions": ["a"]}]
    assert violations_of(question("a"), question("b"), question("b"), pages=pages) == {
        "pages.0.questions.1": "unknown_question",
        "pages.1.key": "duplicate_key",
        "pages.1.questions.0": "question_on_two_pages",
        "questions.1": "question_on_no_page",
        "questions.2": "question_on_no_page",
        "questions.2.key": "duplicate_key",
    }


@pytest.mark.parametrize(
    ("fields", "place", "code"),
    [
        ({"pattern": "(?=a)a"}, "pattern", "invalid_pattern"),
        ({"pattern": "((a{900}){900}){900}"}, "pattern", "invalid_pattern"),
        ({"options": []}, "options", "unknown_field"),
        ({"type": "email", "messages": {"pattern": "No."}}, "messages.pattern", "unknown_field"),
        ({"type": "scale", "min": 5}, "min", "min_above_max"),
        ({"type": "scale", "max": 500}, "max", "out_of_range"),
        ({"type": "date", "min": "2026-02-02", "max": "2026-02-01"}, "min", "min_above_max"),
        ({"type": "statement", "required": True}, "required", "unknown_field"),
        ({"type": "single_choice", "options": []}, "options", "required"),
        ({"type": "multi_choice", "display": "select"}, "display", "unknown_field"),
        ({"type": "multi_choice", "min_selected": 2, "max_selected": 1}, "min_selected", "min_above_max"),
        ({"type": "ranking", "options": ROWS, "min_ranked": 3}, "min_ranked", "out_of_range"),
        ({"type": "ranking", "options": ROWS, "allow_other": True}, "allow_other", "unknown_field"),
        ({"type": "matrix", "columns": ROWS}, "rows", "required"),
        ({"type": "matrix", "rows": ROWS, "columns": ROWS[:1]}, "columns", "too_few"),
    ],
)
def test_a_question_field_must_fit_its_type(fields, place, code):
    assert violations_of(question("a", **fields)) == {f"questions.0.{place}": code}


@pytest.mark.parametrize("type", ["texts", 5, [], None])
def test_a_type_or_target_that_does_not_exist_hides_no_other_violation(type):
    rule = {"target": type, "question": "b", "value": [], "when": {"all": []}, "price": 1}
    unknown = {"key": "A b", "type": type, "help": 5, "min": "x", "shoe": 1, "visible_if": condition("c", "answered")}
    found = violations_of(question("a"), unknown, pages=[{"key": "one", "questions": ["a"]}], field_map=[rule])
    places = [f"questions.1.{name}" for name in ("type", "key", "label", "help", "shoe")]
    assert sorted(found) == sorted(
        [*places, *(f"field_map.0.{name}" for name in ("target", "question", "when.all", "price"))]
    )


@pytest.mark.parametrize(
    ("option", "place", "code"),
    [
        ({"value": " cloud ", "label": "Again"}, "value", "duplicate_option"),
        ({"value": "a\nb", "label": "Two lines"}, "value", "invalid_characters"),
        ({"value": "other", "label": "Other"}, "value", "reserved"),
        ({"value": "x", "label": "X", "exclusive": True}, "exclusive", "unknown_field"),
    ],
)
def test_options_are_whole_and_told_apart(option, place, code):
    options = [{"value": "cloud", "label": "Cloud"}, option]
    found = violations_of(question("a", "single_choice", options=options, allow_other=True))
    assert found == {f"questions.0.options.1.{place}": code}


def test_one_page_question_option_or_question_for_files_above_the_limit_is_refused():
    questions = [question(f"q{number}") for number in range(301)]
    pages = [{"key": f"p{number}", "questions": [f"q{number}"]} for number in range(51)]
    options = [{"value": f"v{number}", "label": "V"} for number in range(201)]
    for most, build in (
        (300, lambda n: violations_of(*questions[:n])),
        (50, lambda n: violations_of(*questions[:n], pages=pages[:n])),
        (200, lambda n: violations_of(question("a", "multi_choice", options=options[:n]))),
        (5, lambda n: violations_of(*(question(f"f{number}", "file") for number in range(n)))),
    ):
        assert build(most) == {}
        assert "too_long" in build(most + 1).values()


def test_a_template_of_more_than_256_kib_is_refused():
    questions = [question(f"q{i}", help="x" * 4900) for i in range(60)]
    assert violations_of(*questions) == {"": "too_large"}


def test_json_of_any_depth_is_refused_without_being_followed():
    deep = {}
    for _ in range(100_000):
        deep = {"not": deep}
    assert violations_of(question("a"), question("b", visible_if=deep)) == {"": "too_deep"}


def test_a_contrast_is_that_of_wcag():
    assert contrast("#777777", "#ffffff") == pytest.approx(4.478, abs=0.001)


@pytest.mark.parametrize("url", ["http://a.example/", "javascript:alert(1)", "//a.example", "https://", "x"])
def test_links_of_a_template_are_https(url):
    found = violations_of(question("a"), branding={"logo_url": url}, thank_you={"redirect_url": url})
    assert found == {"branding.logo_url": "invalid_url", "thank_you.redirect_url": "invalid_url"}


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        ({"thank_you": {"redirect_url": "https://localhost/x"}}, "whose host has a dot"),
        ({"embed_origins": ["https://www.acme.example/"]}, "no slash or path behind it"),
    ],
)
def test_the_reason_names_what_is_wrong_with_an_address(fields, words):
    (found,) = check_template(template(question("a"), **fields))
    assert words in found.message


def test_lead_capture_needs_a_public_slug():
    assert violations_of(question("a"), lead_capture_enabled=True) == {"public_slug": "required"}
    assert violations_of(question("a"), public_slug="Not A Slug") == {"public_slug": "invalid_format"}


def test_hints_name_questions_that_exist_and_fit():
    hints = {
        "lead_fields": {"email": "mail", "company": "sso", "shoe_size": "sso"},
        "rep_flags": [
            {"flag": "hot", "when": condition("sso", "eq", True)},
            {"flag": "hot", "when": condition("budget", "answered")},
            {"flag": "cold"},
        ],
        "rep_tips": {"budget": "Ask.", "sso": ""},
    }
    assert violations_of(question("sso", "yes_no"), hints=hints) == {
        "hints.lead_fields.email": "unknown_question",
        "hints.lead_fields.company": "wrong_question_type",
        "hints.lead_fields.shoe_size": "unknown_field",
        "hints.rep_flags.1.flag": "duplicate_key",
        "hints.rep_flags.1.when.question": "unknown_question",
        "hints.rep_flags.2.when": "required",
        "hints.rep_tips.budget": "unknown_question",
        "hints.rep_tips.sso": "required",
    }


@pytest.mark.parametrize(
    ("rule", "place", "code"),
    [
        ({"target": "price", "value": "x"}, "target", "invalid_choice"),
        ({"target": "feature_keys"}, "question", "required"),
        ({"target": "feature_keys", "question": "z"}, "question", "unknown_question"),
        ({"target": "feature_keys", "question": "sso"}, "question", "wrong_question_type"),
        ({"target": "quantity", "question": "line"}, "question", "wrong_question_type"),
        ({"target": "quantity", "value": 0}, "value", "out_of_range"),
        ({"target": "license_type", "value": ["a"]}, "value", "wrong_type"),
        ({"target": "feature_keys", "question": "line", "map": {"x": "a"}}, "map.x", "invalid_choice"),
        ({"target": "feature_keys", "question": "sso", "map": {"yes": "a"}}, "map.yes", "invalid_choice"),
        ({"target": "feature_keys", "question": "line", "map": {"cloud": "a"}, "value": "b"}, "map", "conflict"),
        ({"target": "feature_keys", "value": "a", "when": {"all": []}}, "when.all", "required"),
    ],
)
def test_field_map_rules_can_yield_what_they_aim_at(rule, place, code):
    found = violations_of(question("sso", "yes_no"), question("line", "single_choice"), field_map=[rule])
    assert found == {f"field_map.0.{place}": code}
