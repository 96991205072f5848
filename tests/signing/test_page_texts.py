"""The words of the pages of signing, in every language."""

import json
import re

import pytest

from pipeline.forms.texts import CATALOGUES
from pipeline.signing.pages.visit import TEXTS


@pytest.mark.parametrize("language", sorted(CATALOGUES))
def test_a_translation_has_the_keys_and_the_placeholders_of_the_english_one(language):
    english, words = (json.loads((TEXTS / f"{name}.json").read_text()) for name in ("en", language))
    assert set(words) == set(english)
    for key, text in words.items():
        assert set(re.findall(r"\{\w+\}", text)) == set(re.findall(r"\{\w+\}", english[key])), key
