import json
from decimal import Decimal
from pathlib import Path

import pytest

from pipeline.forms.questions.numbers import read_number
from pipeline.forms.translations import CATALOGUES
from tests.forms.browsing import GIVEN
from tests.interviews.language import question
from tests.support import interview

VECTORS = json.loads(Path(__file__).with_name("number_vectors.json").read_text(), parse_float=Decimal)
OPTIONS = [{"value": "a", "label": "A"}, {"value": "b", "label": "B", "exclusive": True}]
RANKED = [{"value": value, "label": value} for value in "ab"]
NUMBER = question("it", "number", label="It")


@pytest.mark.parametrize("vector", VECTORS, ids=lambda vector: " ".join(map(str, vector.values())))
def test_numbers_are_read_as_people_type_them(vector):
    units = vector.get("units", ())
    assert read_number(vector["text"], vector["integer"], vector.get("grouping", ""), units) == vector["expect"]


@pytest.mark.parametrize(
    ("unit", "language", "typed", "expected"),
    [
        ("EUR", "en", "€500", 500),
        ("€", "de", "1.500 EUR", 1500),
        ("eur", "fr", "500 euros", 500),
        ("CAD", "en", "$500", 500),
        ("PLN", "en", "500 zł", 500),
        ("seats", "en", "1500 seats", 1500),
        ("seats", "en", "1500", 1500),
        ("seats", "en", "1 seat", 1),
        ("seat", "en", "2 Seats", 2),
        ("seats per year", "en", "1 seat per year", 1),
        ("companies", "en", "1 company", 1),
        ("boxes", "en", "1 box", 1),
        ("kg", "en", "5 kgs", 5),
        ("Monate", "de", "1 Monat", 1),
        ("Lizenzen", "de", "1 Lizenz", 1),
        ("Plätze", "de", "1 Platz", 1),
        ("Jahr", "de", "2 Jahre", 2),
        ("Gerät", "de", "12 Geräte", 12),
        ("ans", "fr", "1 an", 1),
        ("bureaux", "fr", "1 bureau", 1),
        ("terminaux", "fr", "1 terminal", 1),
        ("licencias", "es", "1 licencia", 1),
        ("meses", "es", "1 mes", 1),
        ("utenti", "it", "1 utente", 1),
        ("licenze", "it", "1 licenza", 1),
        ("anni", "it", "1 anno", 1),
        ("maanden", "nl", "1 maand", 1),
    ],
)
def test_a_number_may_carry_its_unit_or_the_sign_of_its_currency(unit, language, typed, expected, small):
    one = question("it", "number", label="It", unit=unit)
    assert small(one, language=language).fill(it=typed).press().stored() == {"it": expected}


@pytest.mark.parametrize(
    ("unit", "typed"),
    [
        ("EUR", "500 CHF"),
        ("EUR", "500 EURs"),
        ("mi", "5 min"),
        ("m", "5 ms"),
        ("miles", "5 mill"),
        ("tonnes", "5 tons"),
        ("m²", "5 m"),
        ("seats", "5 sea"),
        ("Monate", "5 Mo"),
        ("%", "5 s"),
        ("s", "5 es"),
    ],
)
def test_a_number_with_another_unit_is_refused(unit, typed, small):
    one = question("it", "number", label="It", unit=unit)
    assert "number" in small(one).fill(it=typed).press(status=422).errors()["it"]


@pytest.mark.parametrize(
    ("kind", "typed", "kept"),
    [
        ("email", "ada＠engine．example", "ada@engine.example"),
        ("email", "o\ufb03ce@engine.example", "office@engine.example"),
        ("phone", "＋４９　３０ １２３４５６７", "+49 30 1234567"),
        ("date", "２０２６－０１－３１", "2026-01-31"),
        ("email", "ada@\u200bengine.example\ufeff", "ada@engine.example"),
        ("phone", "+49\u2060 30 1234567", "+49 30 1234567"),
        ("url", "www.en\u00adgine.example", "https://www.engine.example"),
        ("url", "ｗｗｗ．engine．example", "https://www.engine.example"),
        ("short_text", "ＡＣＭＥ ｶﾞｽ, 10²", "ACME ガス, 10²"),
        ("long_text", "１\n２", "1\n2"),
    ],
)
def test_full_width_signs_become_plain_ones(kind, typed, kept, small):
    assert small(question("it", kind, label="It")).fill(it=typed).press().stored() == {"it": kept}


@pytest.mark.parametrize(
    ("language", "typed", "expected"), [("en", "1,500", 1500), ("de", "100.000", 100000), ("de", "2,5", 2.5)]
)
def test_a_number_is_read_by_the_forms_language(language, typed, expected, small):
    assert small(NUMBER, language=language).fill(it=typed).press().stored() == {"it": expected}


def test_a_stored_number_stays_itself_when_its_page_is_sent_again(small):
    paper = small(NUMBER, language="de").fill(it="1,1250").press().open("?step=one")
    assert paper.value("it") == "1.1250"  # where 1.125 could be a thousand and more
    assert paper.press().stored() == {"it": 1.125}


@pytest.mark.parametrize(
    ("asked", "expected"),
    [
        ({"type": "phone"}, {"type": "tel", "inputmode": "tel", "autocomplete": "tel"}),
        ({"type": "number", "min": 0}, {"type": "text", "inputmode": "decimal"}),
        ({"type": "number", "min": 0, "integer": True}, {"type": "text", "inputmode": "numeric"}),
        ({"type": "number"}, {"type": "text"}),
        ({"type": "date", "min": "2026-01-01"}, {"type": "date", "min": "2026-01-01"}),
    ],
)
def test_a_single_control_helps_to_fill_it_in(asked, expected, ask):
    control = ask(**asked).html.select_one("#f-it")
    helps = ("type", "inputmode", "autocomplete", "min", "max")
    assert {name: control[name] for name in helps if name in control.attrs} == expected


@pytest.mark.parametrize(
    ("asked", "typed", "answer", "words"),
    [
        ({"type": "short_text"}, " Ada ", "Ada", "Ada"),
        ({"type": "long_text"}, "One\r\nTwo", "One\nTwo", "One Two"),
        ({"type": "url"}, "www.example.com", "https://www.example.com", "https://www.example.com"),
        ({"type": "url"}, "http://example.com/a?b", "http://example.com/a?b", "http://example.com/a?b"),
        ({"type": "number", "unit": "kg"}, "2,5", 2.5, "2.5 kg"),
        ({"type": "number", "unit": "seats"}, "1234567.25", 1234567.25, "1,234,567.25 seats"),
        ({"type": "number", "integer": True}, "١٥", 15, "15"),
        ({"type": "phone"}, "+٤٩ ٨٩ ١٢٣٤٥٦", "+49 89 123456", "+49 89 123456"),
        ({"type": "date"}, "٢٠٢٦-٠٢-٢٨", "2026-02-28", "February 28, 2026"),
        ({"type": "yes_no"}, "no", False, "No"),
        ({"type": "consent"}, "yes", True, "Yes"),
        ({"type": "consent"}, [], None, "No"),
        ({"type": "single_choice", "options": OPTIONS[:1]}, "a", "a", "A"),
        ({"type": "single_choice", "display": "select", "options": OPTIONS[:1]}, "a", "a", "A"),
        ({"type": "multi_choice", "options": OPTIONS}, ["a"], ["a"], "A"),
        ({"type": "ranking", "options": RANKED}, ["", "b", "a"], ["b", "a"], "1. b 2. a"),
        ({"type": "scale", "min_label": "Poor", "max_label": "Great"}, "2", 2, "2 of 5 (1: Poor, 5: Great)"),
        ({"type": "scale", "min": -2, "max": 2}, "-1", -1, "-1 (from -2 to 2)"),
    ],
)
def test_an_answer_of_every_type_is_stored_and_shown_again(asked, typed, answer, words, ask):
    paper = ask(**asked).fill(it=typed).press()
    assert paper.text("dd:not(.change)") == [words]
    paper.press("submit")
    assert paper.stored() == ({} if answer is None else {"it": answer})


def test_a_stored_answer_of_every_type_stands_in_its_control(visit, anonymous, invite):
    answers = {**GIVEN, "evaluating_others": False, "notes": "\nOne"}
    anonymous.patch(interview(invite), {"answers": answers}, status=200)
    paper = visit(invite, "?step=needs")
    checked = {control["value"] for control in paper.html.select("input[checked]")}
    assert checked == {"license-server", "linux", "other", "floating", "usage", "yearly"}
    assert (paper.value("platforms__other"), paper.value("seats")) == ("Plan 9", "1500")
    checked = {control["value"] for control in paper.open("?step=plans").html.select("input[checked]")}
    assert checked == {"no", "this_quarter", "none", "2", "good", "poor"}
    assert paper.open("?step=finish").html.select_one("#f-privacy-0").has_attr("checked")
    assert paper.value("notes") == "\nOne"


def test_a_scale_of_many_steps_is_a_list(ask):
    paper = ask(type="scale", min=0, max=20, min_label="None", max_label="All")
    assert paper.text("select#f-it option")[1::20] == ["0 – None", "20 – All"]


def test_the_steps_at_the_ends_of_a_scale_say_what_they_mean(ask):
    paper = ask(type="scale", min_label="Poor", max_label="Great")
    ends = [control["aria-describedby"] for control in paper.html.select("input[name=it]")[::4]]
    assert [paper.text(f"#{end}") for end in ends] == [["1: Poor"], ["5: Great"]]


@pytest.mark.parametrize(
    ("display", "number", "control"),
    [(None, 12, "input"), (None, 13, "select"), ("select", 2, "select"), ("radio", 31, "input")],
)
def test_many_options_are_a_list_unless_the_question_says_otherwise(display, number, control, ask):
    options = [{"value": str(value), "label": f"Option {value}"} for value in range(number)]
    paper = ask(type="single_choice", options=options, display=display)
    assert {found.name for found in paper.html.select("[name=it]")} == {control}


def test_a_list_takes_another_answer_too(ask):
    paper = ask(type="single_choice", display="select", allow_other=True, options=OPTIONS[:1])
    assert paper.fill(it="other", it__other="Zig").press().text("dd:not(.change)") == ["Zig"]


def test_a_choice_that_was_made_can_be_taken_back_and_one_that_was_not_cannot(ask):
    paper = ask(type="yes_no")
    assert paper.html.select_one("button[value='clear:it']").has_attr("hidden")
    paper.fill(it="no").press().open("?step=one")
    assert not paper.html.select_one("button[value='clear:it']").has_attr("hidden")
    paper.press("clear:it")
    assert (paper.path.endswith("#q-it"), paper.stored()) == (True, {})


def test_help_placeholder_unit_and_limits_stand_beside_their_control(ask):
    paper = ask(type="number", help="About", placeholder="100", unit="seats")
    assert (paper.text(".help"), paper.text(".unit")) == (["About"], ["seats"])
    control = paper.html.select_one("#f-it")
    assert (control["placeholder"], control["aria-describedby"]) == ("100", "h-it")


def test_a_multiple_choice_says_how_many_may_be_chosen(ask):
    options = [{"value": value, "label": value} for value in "abcd"]
    paper = ask(type="multi_choice", options=options, min_selected=2, max_selected=3)
    assert paper.text(".help") == ["Select at least 2. Select up to 3."]
    assert paper.html.fieldset["aria-describedby"] == "n-it"


def test_an_address_is_asked_for_line_by_line_and_read_again_as_people_write_it(ask):
    paper = ask(type="address", required=True).press(status=422)
    assert paper.text("#errors a") == ["Enter an address for “It”."]
    paper.fill(**{"it.street": "Gasse 1", "it.country": "DE"}).press(status=422)
    assert paper.text("#errors a") == ["Fill in “Town or city” of “It”."]
    assert paper.html.select_one("#errors a")["href"] == "#f-it-city"
    optional = paper.html.select(".optional:not([hidden])")
    assert [mark.parent["for"] for mark in optional] == ["f-it-postal_code", "f-it-region"]
    assert paper.value("it.street") == "Gasse 1"
    paper.fill(**{"it.city": "Zürich", "it.postal_code": "8001", "it.country": "CH"}).press()
    assert paper.text("dd:not(.change) p") == ["Gasse 1", "8001 Zürich", "Switzerland"]
    stored = paper.press("submit").stored()["it"]
    assert stored == {"street": "Gasse 1", "city": "Zürich", "postal_code": "8001", "country": "CH"}


def test_countries_are_named_and_sorted_in_the_language_of_the_page(ask):
    names = ask("?step=one&lang=de", type="address").text("option")
    assert len(names) == 251
    assert names[1:4] == ["Afghanistan", "Ägypten", "Ålandinseln"]


def test_the_sentence_of_a_consent_has_links_and_is_named_by_its_words(ask):
    terms = "I accept the [*terms*](https://acme.example/t)."
    paper = ask(type="consent", required=True, label=terms, help="- free\n- open")
    assert paper.html.select_one("label a")["href"] == "https://acme.example/t"
    assert paper.html.select_one("label").find_next(class_="help")["id"] == "h-it"
    assert paper.text("#h-it li") == ["free", "open"]
    paper.press(status=422)
    assert paper.text("#errors a") == ["I accept the terms. – Please give your consent to go on."]
    assert paper.fill(it="yes").press().text("dt") == ["I accept the terms."]


def test_a_statement_is_text_alone(small):
    paper = small(question("hello", "statement", label="Welcome", help="Ten minutes"), question("name"))
    assert paper.text("#q-hello") == ["Welcome Ten minutes"]
    assert paper.html.select("#q-hello input") == []
    assert paper.press().text("dt") == ["name"]


@pytest.mark.parametrize(
    ("asked", "typed", "sentence"),
    [
        ({"type": "short_text", "max_length": 3}, "abcd", "Enter at most 3 characters for “It”."),
        ({"type": "email", "required": True}, "", "Enter an email address for “It”."),
        ({"type": "url"}, "example", "Enter a web address such as https://example.com for “It”."),
        ({"type": "number", "max": 3}, "4", "Enter 3 or less for “It”."),
        ({"type": "number"}, "100.000", "In “It”, the comma or dot can stand for thousands or for decimals."),
        ({"type": "date", "max": "2026-01-31"}, "2026-02-01", "Enter January 31, 2026 or an earlier date for “It”."),
        ({"type": "yes_no"}, "maybe", "The answer to “It” cannot be read. Give it again."),
        ({"type": "single_choice", "options": OPTIONS[:1]}, "x", "Choose one of the options for “It”."),
        ({"type": "multi_choice", "options": OPTIONS, "required": True}, [], "Choose at least one option for “It”."),
        ({"type": "multi_choice", "options": OPTIONS, "min_selected": 2}, ["a"], "Select at least 2 for “It”."),
        ({"type": "multi_choice", "options": OPTIONS}, ["a", "b"], "“B” cannot be combined with other options"),
        ({"type": "ranking", "options": RANKED, "required": True}, [], "Fill at least"),
    ],
)
def test_a_violation_is_one_sentence_and_the_typed_text_stays(asked, typed, sentence, ask):
    paper = ask(**asked).fill(it=typed).press(status=422)
    assert paper.errors()["it"].startswith(sentence)
    assert paper.text("#errors a")[0].startswith(sentence)
    assert paper.text("#kept") == []
    if typed and paper.html.select_one("#f-it"):
        assert paper.value("it") == typed


def test_a_bound_is_written_in_the_language_of_the_page(ask):
    paper = ask("?step=one&lang=de", type="number", min=1250.5).fill(it="2").press(status=422)
    assert paper.errors() == {"it": "Bitte geben Sie für „It“ mindestens 1.250,5 ein."}


def test_a_question_may_bring_its_own_messages_in_each_language(small):
    messages = {"required": "Enter your VAT number.", "pattern": "A VAT number begins with DE."}
    vat = question("it", required=True, pattern="DE[0-9]+", messages=messages)
    german = {"questions.it.messages.required": "Bitte geben Sie Ihre USt-IdNr. ein."}
    paper = small(vat, translations={"de": german, "ar": {"questions.it.label": "هو"}})
    assert paper.press(status=422).errors() == {"it": "Enter your VAT number."}
    assert paper.text("#errors a") == ["Enter your VAT number."]
    assert paper.open("?lang=de").press(status=422).errors() == {"it": "Bitte geben Sie Ihre USt-IdNr. ein."}
    # The page's own sentence stands for what is not translated.
    arabic = CATALOGUES["ar"]("error.required", label="هو")
    assert paper.open("?lang=ar").press(status=422).errors() == {"it": arabic}
    paper.open("?lang=en").fill(it="FR1").press(status=422)
    assert paper.errors() == {"it": "A VAT number begins with DE."}


RANKING = {"type": "ranking", "options": [{"value": value, "label": value.upper()} for value in "abc"]}
ROW = "x.y" + "z" * 97  # as long as a row's value may be
MATRIX = {
    "type": "matrix",
    "rows": [{"value": ROW, "label": "Price"}, {"value": "z", "label": "Help"}],
    "columns": RANKING["options"][:2],
}


def test_an_option_with_two_places_is_refused_and_both_stay(ask):
    paper = ask(**RANKING)
    assert paper.text("label") == ["Place 1", "Place 2", "Place 3"]
    paper.fill(it=["b", "b", ""]).press(status=422)
    assert paper.errors() == {"it": "Give each option of “It” one place only."}
    assert [option["value"] for option in paper.html.select("option[selected]")] == ["b", "b"]


def test_a_matrix_names_each_row_that_is_not_answered(ask):
    paper = ask(**MATRIX, required=True).fill(**{"it.1": "b"}).press(status=422)
    assert paper.text("#errors a") == ["Fill in “Price” of “It”."]
    assert paper.html.select_one("#errors a")["href"] == "#f-it-0-0"
    assert paper.html.select_one("[role=radiogroup][aria-invalid]")["aria-describedby"] == "e-it-0"
    paper.fill(**{"it.0": "a"}).press()
    assert paper.text("dd:not(.change) p") == ["Price: A", "Help: B"]
    assert paper.press("submit").stored() == {"it": {ROW: "a", "z": "b"}}


def test_the_answers_of_a_matrix_can_be_taken_back(ask):
    paper = ask(**MATRIX).fill(**{"it.1": "b"}).press().open("?step=one")
    assert paper.press("clear:it").stored() == {}
