"""Numbers and addresses among letters that run from right to left, and counted nouns."""

import pytest

from pipeline.forms.page.rendering import breakable
from pipeline.forms.questions import markdown
from pipeline.forms.translations import CATALOGUES

CALL = "اتصل على"


@pytest.mark.parametrize(
    "contact", ["+966 11 123 4567", "a.b@c.example", "https://x.example/a?b=1", "2026-11-28", "(030) 12 34"]
)
def test_contacts_are_isolated_within_texts_that_run_from_right_to_left(contact):
    shown = markdown.to_html(f"{CALL} {contact}.", "")
    assert f'<bdi dir="ltr">{contact}</bdi>' in shown
    assert str(breakable(f"{CALL} {contact}")).replace("<wbr>", "").endswith(f'<bdi dir="ltr">{contact}</bdi>')
    assert "<bdi" not in markdown.to_html(f"Call {contact}", "") + breakable(f"Call {contact}")


def test_a_name_in_a_sentence_runs_in_its_own_direction():
    shown = CATALOGUES["en"].html("page.greeting", name="<شركة>")
    assert "<bdi>&lt;شركة&gt;</bdi>" in shown


COUNTED = [
    ("ar", "question.files", {"max_files": 2, "max_size": 5, "accept": "pdf"}, "حتى ملفين "),
    ("ar", "question.files", {"max_files": 3, "max_size": 5, "accept": "pdf"}, "حتى 3 ملفات "),
    ("ar", "question.rank_at_least", {"min_ranked": 2}, "املأ مرتبتين "),
    ("ar", "question.at_most_characters", {"max_length": 500}, "500 حرف "),
    ("ar", "question.at_most_characters", {"max_length": 60}, "60 حرفًا "),
    ("ar", "limited.body", {"minutes": 2}, "نحو دقيقتين "),
    ("en", "question.rank_at_least", {"min_ranked": 1}, "one place."),
    ("en", "crowded.body", {"minutes": 1}, "about a minute."),
    ("en", "crowded.body", {"minutes": 2}, "about 2 minutes."),
    ("fr", "question.at_most", {"max_selected": 1}, "une réponse "),
    ("de", "question.at_most_characters", {"max_length": 1}, "1 Zeichen."),
]


@pytest.mark.parametrize(("language", "key", "values", "said"), COUNTED)
def test_a_counted_noun_has_the_form_of_its_number(language, key, values, said):
    assert said in CATALOGUES[language](key, **values)
