import json
from decimal import Decimal
from pathlib import Path

import pytest

from pipeline.forms.questions.markdown import RenderedTexts
from pipeline.forms.questions.piping import BLANK, Piped, piped, tags_of
from pipeline.forms.translations import CATALOGUES
from tests.documents.support import pdf_text
from tests.interviews.language import condition, question

VECTORS = json.loads(Path(__file__).with_name("pipe_vectors.json").read_text("utf-8"), parse_float=Decimal)
NASTY = '<i>*Acme* [x](https://evil.example) & "Söhne"'
OPTIONS = [{"value": "a", "label": "Cloud of {{company}}"}, {"value": "b", "label": "Server"}]
COMPANY = question("company", label="Company?")
PRODUCT = question("product", "single_choice", label="For {{company|you}}?", options=OPTIONS)
NOTE = question("note", "statement", label="**{{company|You}}** took *{{product|nothing}}*.")
SEATS = question("seats", "number", label="Seats of {{company}}", help="*For* {{product}}")
FORM = {
    "questions": [COMPANY, PRODUCT, NOTE, SEATS],
    "pages": [
        {"key": "one", "questions": ["company", "product"]},
        {
            "key": "two",
            "title": "{{company|Your}} needs",
            "description": "- {{company}}",
            "questions": ["note", "seats"],
        },
    ],
    "thank_you": {"title": "Thank you, {{company|friend}}", "body": "*{{product}}*", "show_answers": True},
}


@pytest.mark.parametrize("vector", VECTORS["vectors"], ids=lambda vector: vector["text"][:40])
def test_the_server_passes_the_vectors_of_the_script(vector):
    questions = [*VECTORS["questions"], {"key": "it", "type": "statement", "label": vector["text"]}]
    pages = [{"key": "one", "questions": [question["key"] for question in questions]}]
    template = {"pages": pages, "questions": questions, "thank_you": {}}
    told = piped(template, tags_of(template), vector["answers"], CATALOGUES[vector["language"]])
    assert told["questions"][-1]["label"] == vector["expect"]


@pytest.mark.parametrize("kind", ["interview", "capture"])
def test_an_answer_stands_as_text_in_later_texts_the_review_and_the_thanks(kind, organization, visit):
    form = organization.public_form(**FORM)
    paper = visit(form if kind == "capture" else organization.invite(form))
    assert paper.text("legend bdi[data-pipe]") == ["you"]
    paper.fill(company=NASTY, product="a").press()
    assert paper.text("h1") == [f"{NASTY} needs"]
    assert paper.text(".statement strong bdi") == [NASTY]
    assert paper.text(".statement em bdi") == [f"Cloud of {NASTY}"]
    assert paper.text(".lead li bdi") == [NASTY]
    assert paper.text("label[for=f-seats]") == [f"Seats of {NASTY} (optional)"]
    assert paper.html.select("a[href*=evil], i") == []
    assert paper.press().text("dt")[1:] == [f"For {NASTY}?", f"Seats of {NASTY}"]
    assert paper.text("dd:not(.change)")[1] == f"Cloud of {NASTY}"
    assert paper.press("submit").text("h1") == [f"Thank you, {NASTY}"]
    assert paper.text(".lead em") == [f"Cloud of {NASTY}"]


def test_a_hidden_answer_gives_way_to_the_fallback(small):
    hidden = {**PRODUCT, "visible_if": condition("company", "ne", "Globex")}
    paper = small(**{**FORM, "questions": [COMPANY, hidden, NOTE, SEATS]}).fill(company="Acme", product="b").press()
    assert paper.text(".statement em") == ["Server"]
    paper.open("?step=one").fill(company="Globex").press()
    assert paper.text(".statement em") == ["nothing"]


def test_an_option_of_a_list_holds_the_answer_in_an_isolate(small):
    listed = {**FORM, "questions": [COMPANY, {**PRODUCT, "display": "select"}, NOTE, SEATS]}
    paper = small(**listed).fill(company="Acme").press().open("?step=one")
    option = paper.html.select_one("option[value=a]")
    assert (option.string, option["data-text"]) == ("Cloud of \u2068Acme\u2069", "Cloud of {{company}}")


def test_the_representative_reads_the_answers_in_the_questions(small, member):
    small(**FORM).fill(company="Acme", product="a").press().fill(seats="3").press().press("submit")
    (invite,) = member.get("/api/interview-invites", status=200).json["data"]
    path = f"/api/interview-invites/{invite['id']}/responses"
    lines = member.get(f"{path}.csv", status=200).text
    for cell in ("Acme needs", "For Acme?", "Cloud of Acme", "Seats of Acme"):
        assert cell in lines
    assert "Seats of Acme" in " ".join(pdf_text(member.get(f"{path}.pdf", status=200).body).split())


def test_the_api_leaves_the_tags_to_its_client(organization, anonymous):
    invite = organization.invite(organization.template(**FORM))
    form = anonymous.get(f"/api/public/interview/{invite['token']}", status=200).json["template"]
    assert form["questions"][1]["label"] == "For {{company|you}}?"


def test_the_cache_of_a_version_holds_no_answer():
    written = RenderedTexts()
    for answer in ("SECRET", "other"):
        text = Piped.of("*{{a}}*", {"a": answer})
        assert answer in written.html(text, "")
        assert answer == written.words(text)
    assert written.made.cache_info().misses == written.said.cache_info().misses == 1
    assert written.words(Piped.of("*{{a}}*", {})) == BLANK
