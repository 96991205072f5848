"""The words of the pages of signing, in every language."""

import json
import re

import pytest

from pipeline.forms.texts import CATALOGUES as FORMS
from pipeline.signing.pages.visit import CATALOGUES, TEXTS

PAGES = TEXTS.parent


@pytest.mark.parametrize("language", sorted(FORMS))
def test_a_translation_has_the_keys_and_the_placeholders_of_the_english_one(language):
    english, words = (json.loads((TEXTS / f"{name}.json").read_text()) for name in ("en", language))
    assert set(words) == set(english)
    for key, text in words.items():
        assert set(re.findall(r"\{\w+\}", text)) == set(re.findall(r"\{\w+\}", english[key])), key


def test_every_text_is_used_by_a_page():
    source = "\n".join(path.read_text() for path in [*PAGES.glob("*.py"), *PAGES.glob("templates/*.html")])
    computed = re.compile(
        r"sign\.(error|status|for)\.|sign\.typed$|(sign|verify)\.\w+\.(title|body)|verify\.error\.|refused\.body"
    )
    own = json.loads((TEXTS / "en.json").read_text())
    assert [key for key in own if key not in source and not computed.match(key)] == []


def test_the_pages_of_the_forms_keep_their_own_words():
    assert FORMS["en"]("refused.body") != CATALOGUES["en"]("refused.body")
    assert "sign.open.title" not in FORMS["en"].words


def test_style_and_script_weigh_little(wsgi):
    files = wsgi.registry.signing_assets.files
    assert sum(len(file.packed) for file in files.values()) < 6_000
