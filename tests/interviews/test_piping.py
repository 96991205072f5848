import pytest

from tests.interviews.language import question, violations_of

NAME = question("name")


def label(text, **fields):
    return violations_of(NAME, question("b", **{"label": text, **fields}))


@pytest.mark.parametrize(
    "text", ["For {{name}}", "{{ name | your company }}!", "{{name}}{{name|you}}", "{a} }{ {{{name}}}"]
)
def test_a_tag_names_an_earlier_question_and_may_have_a_fallback(text):
    assert label(text) == {}


@pytest.mark.parametrize(
    "text",
    ["{{name", "name}}", "{{Name}}", "{{name|}}", "{{name| }}", "{{}}", "{{name.a}}", "{{name|*a*}}", "{{{{name}}}}"]
    + ["{{name|" + "x" * 101 + "}}", "{{name}} {{"],
)
def test_braces_that_form_no_tag_are_refused(text):
    assert label(text) == {"questions.1.label": "malformed_tag"}


@pytest.mark.parametrize("type", ["address", "file", "consent", "statement"])
def test_an_answer_of_several_lines_or_none_stands_in_no_text(type):
    found = violations_of(question("a", type), question("b", label="{{a}}"))
    assert found == {"questions.1.label": "wrong_question_type"}


def test_every_text_that_takes_tags_is_judged_at_its_place():
    pages = [
        {"key": "one", "title": "{{name}}", "questions": ["name", "b"]},
        {"key": "two", "description": "{{b}} {{z}}", "questions": ["z"]},
    ]
    choice = question("b", "single_choice", help="{{b}}", options=[{"value": "x", "label": "{{z}}"}])
    thanks = {"title": "Thank you, {{z}}", "body": "{{nobody}}"}
    assert violations_of(NAME, choice, question("z"), pages=pages, thank_you=thanks) == {
        "pages.0.title": "not_earlier_question",
        "pages.1.description": "not_earlier_question",
        "questions.1.help": "not_earlier_question",
        "questions.1.options.0.label": "not_earlier_question",
        "thank_you.body": "unknown_question",
    }


@pytest.mark.parametrize(
    "fields",
    [
        {"type": "consent", "label": "I agree for {{name}}"},
        {"type": "consent", "help": "{{name}}"},
        {"placeholder": "{{name}}"},
        {"type": "number", "unit": "{{name}}"},
        {"help": "[us](https://a.example/{{name}})"},
    ],
)
def test_consents_attributes_and_the_addresses_of_links_take_no_tags(fields):
    field = next(name for name in fields if name != "type")
    assert violations_of(NAME, question("b", **fields)) == {f"questions.1.{field}": "misplaced_tag"}


def test_a_translation_is_judged_as_the_text_it_replaces():
    german = {"questions.b.label": "Für {{name}} und {{b}}", "questions.name.help": "{{", "name": "{{name}}"}
    named = question("name", help="x")
    assert violations_of(named, question("b"), name="A", translations={"de": german}) == {
        "translations.de.questions.b.label": "not_earlier_question",
        "translations.de.questions.name.help": "malformed_tag",
        "translations.de.name": "misplaced_tag",
    }


def test_a_language_has_at_most_two_hundred_tags():
    assert label("x", help="{{name}}" * 200) == {}
    assert label("x", help="{{name}}" * 201) == {"questions.1.help": "too_long"}
