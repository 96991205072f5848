import pytest

from pipeline.forms.translations import CATALOGUES
from tests.interviews.language import question
from tests.support import TEMPLATE

# Sentences about a consent and files, whose links begin with the question.
UNNAMED = {"must_be_true", "unsupported_file", "damaged_file", "active_file", "empty_file"}
UNNAMED |= {"body_too_large", "too_many_files", "storage_full", "busy"}
PRIVACY = "Sie dürfen mir zu diesem Test schreiben."


def marks(paper, selector):
    found = paper.html.select_one(selector)
    return found.get("lang"), found.get("dir")


@pytest.fixture
def public(visit, evaluation):
    """The first page of the demo's public form, which speaks English and German, as its interview does."""
    return visit(evaluation)


def test_the_chosen_language_keeps_what_was_typed_and_stays_to_the_end(paper, organization, invite):
    assert paper.text(".languages li") == ["English", "Deutsch"]
    assert paper.text(".languages [aria-current]") == ["English"]
    paper.fill(your_name="Ada").press("speak:de")
    assert (paper.html.html["lang"], paper.text("h1"), paper.value("your_name")) == ("de", ["Über Sie"], "Ada")
    assert paper.text(".languages [aria-current]") == ["Deutsch"]
    paper.fill(work_email="ada@example.com", company="Engines").press()
    assert paper.text("h1") == ["Was Sie brauchen"]
    paper.fill(product_line="license-cloud").press().fill(seats="5").press().fill(timeline="later").press()
    paper.fill(privacy="yes").press()
    assert (paper.state, paper.text("dt")[0]) == ("review", "Ihr Name")
    assert "License Cloud, von uns betrieben" in paper.text("dd")
    paper.press("speak:en").press("speak:de").press("submit")
    assert (paper.state, paper.text("h1")) == ("submitted", ["Vielen Dank"])
    (consent,) = organization.responses(invite)["consents"]
    assert consent["text"].startswith("Sie dürfen diese Antworten aufbewahren")
    assert paper.open(paper.html.select_one(".languages a")["href"]).text("h1") == ["Thank you"]


def test_the_page_of_an_expired_invite_speaks_the_invites_language(organization, qualification, visit):
    invite = organization.invite(qualification, language="de")
    organization.expire_by_time(invite)
    paper = visit(invite, **{"Accept-Language": "en"})
    assert (paper.state, paper.text("button")) == ("expired", ["Neuen Link erbitten"])


def test_a_form_of_one_language_has_no_switch(small):
    paper = small(query="?lang=de")
    assert (paper.html.html["lang"], paper.text("h1"), paper.text(".languages")) == ("de", ["What you need"], [])
    assert paper.html.select_one("h1 bdi")["lang"] == "en"


def test_a_language_without_words_of_the_pages_is_marked_as_what_it_is(small):
    paper = small(language="pl", name="Potrzeby")
    assert (paper.html.html["lang"], paper.html.select_one("legend bdi")["lang"]) == ("en", "pl")


def test_each_text_is_marked_with_the_language_that_it_is_in(small):
    described = {**TEMPLATE["pages"][0], "description": "Three questions."}
    words = {"pages.needs.title": "SSO وما تحتاجه", "questions.seats.label": "كم مقعدًا؟"}
    paper = small(query="?lang=ar", pages=[described], translations={"ar": words})
    assert paper.html.html["dir"] == "rtl"
    assert marks(paper, "h1 bdi") == (None, "rtl")  # although a Latin letter comes first
    assert marks(paper, ".lead") == ("en", "auto")
    assert marks(paper, "[for=f-seats] bdi") == (None, "rtl")
    assert marks(paper, "[for=f-notes] bdi") == ("en", "auto")
    assert marks(paper.fill(product_line="server").press(), "h2 bdi") == (None, "rtl")


def test_labels_in_an_answer_are_marked_with_their_language_on_the_review_and_the_reps_page(answered, visit, reps_page):
    sizes = [{"value": "s", "label": "Small"}, {"value": "l", "label": "Large"}]
    invite = answered(
        question("size", "single_choice", label="Which size?", options=sizes),
        question("order", "ranking", label="What first?", options=sizes),
        question("happy", "scale", label="How happy?", max_label="<b>very</b>"),
        answers={"size": "s", "order": ["l", "s"], "happy": 2},
        translations={"ar": {"questions.size.options.s": "صغير", "questions.happy.label": "ما مدى رضاك؟"}},
    )
    review = visit(invite, "?lang=ar&step=check-answers")
    assert review.text("dd p") == ["صغير", "1. Large", "2. Small", "2 من 5 (5: <b>very</b>)"]
    rows = [f"dl > :nth-of-type({n}) dd bdi bdi" for n in (1, 2, 3)]
    assert [marks(review, row) for row in rows] == [(None, "rtl"), ("en", "auto"), ("en", "auto")]
    page = reps_page(invite, "?lang=ar")
    rows = [f"section:last-of-type dl > :nth-of-type({n})" for n in (1, 2, 3)]
    assert [page.text(f"{row} dt") for row in rows] == [["Which size?"], ["What first?"], ["ما مدى رضاك؟"]]
    assert [marks(page, f"{row} dt bdi")[0] for row in rows] == ["en", "en", None]
    assert [marks(page, f"{row} dd bdi bdi")[0] for row in rows] == [None, "en", "en"]


def directions(paper):
    return [found["dir"] for found in paper.html.select("dd p > bdi")]


def test_a_composed_answer_has_the_direction_of_its_language(answered, visit, reps_page):
    items = [{"value": "a", "label": "الدعم"}, {"value": "b", "label": "السعر"}]
    invite = answered(
        question("seats", "number", unit="مقعد"),
        question("order", "ranking", options=items),
        question("grid", "matrix", rows=items, columns=items),
        question("name"),
        answers={"seats": 25, "order": ["b", "a"], "grid": {"a": "b"}, "name": "Ada"},
        language="ar",
        thank_you={"show_answers": True, "send_copy": True},
    )
    review = visit(invite, "?lang=ar&step=check-answers")
    expected = ["rtl", "rtl", "rtl", "rtl", "auto"]
    assert directions(review) == expected
    assert directions(review.press("submit")) == expected
    assert directions(reps_page(invite, "?lang=de")) == expected


def test_a_public_form_takes_its_answers_along_into_the_other_language(public, organization):
    public.fill(product_line="license-server", seats="many").press("speak:de", status=200)
    assert (public.text("h1"), public.value("seats")) == (["Ausprobieren"], "many")
    public.fill(seats="25").press("speak:en").press("speak:de")
    assert (public.text("h1"), public.value("seats")) == (["Ausprobieren"], "25")
    public.press().fill(first_name="Ada", email="ada@example.com", privacy="yes").press().press("submit")
    assert public.text("h1") == ["Schon unterwegs"]
    (invite,) = organization.invites()
    kept = organization.responses(invite)
    (consent,) = kept["consents"]
    assert (invite["language"], consent["text"], consent["given_at"]) == ("de", PRIVACY, kept["submitted_at"])


def test_a_consent_to_a_public_form_is_asked_for_again_in_the_other_language(public):
    public.fill(product_line="license-server").press()
    public.fill(first_name="Ada", email="ada@example.com", privacy="yes").press()
    public.press("speak:de", status=200).press("submit", status=422)
    assert public.text("#errors button") == [f"{PRIVACY} – Bitte stimmen Sie zu, um fortzufahren."]
    public.press("step:you").press("speak:en")
    assert not public.html.select_one("[name=privacy]").has_attr("checked")


@pytest.mark.parametrize("language", ["fr", "", "xx", "de:en", "__proto__"])
def test_a_language_that_the_form_does_not_have_is_not_spoken(language, paper):
    paper.html.find("button", attrs={"value": "speak:de"})["value"] = f"speak:{language}"
    assert paper.press(f"speak:{language}").html.html["lang"] == "en"


@pytest.mark.parametrize("language", CATALOGUES)
def test_every_sentence_about_a_wrong_answer_names_its_question(language):
    words = CATALOGUES[language].words
    said = {key.removeprefix("error.") for key in words if key.startswith("error.")}
    assert {code for code in said if "{label}" not in words[f"error.{code}"]} == UNNAMED


def test_back_and_another_language_say_that_the_earlier_answer_stays(small):
    pages = [{"key": "first", "questions": ["more"]}, {"key": "second", "questions": ["it"]}]
    arabic = {"ar": {"questions.it.label": "البريد"}}
    paper = small(question("more"), question("it", "email", label="It"), pages=pages, translations=arabic)
    paper.press().fill(it="ada@example.com").press().press("back").fill(it="ada@").press("back", status=200)
    assert (paper.step, paper.text("#kept")) == ("first", ["Could not be saved, the earlier answer stays: It"])
    paper.open(paper.html.select_one("#kept a")["href"], status=200)
    assert (paper.step, paper.value("it"), paper.text("#kept")) == ("second", "ada@example.com", [])
    paper.fill(it="ada@").press("speak:ar", status=200)
    assert (paper.value("it"), paper.text("#kept")) == ("ada@", ["تعذر الحفظ، وتبقى الإجابة السابقة: البريد"])
