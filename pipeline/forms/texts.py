"""The words of the pages: one JSON file for each language in texts/. `js.` keys are handed to the browser's module."""

from pathlib import Path

from pipeline import languages

FOLDER = Path(__file__).parent / "texts"
CATALOGUES = languages.load(FOLDER)


def texts_for(language):
    """The Texts of a language tag; English for one that nobody has translated."""
    return languages.choose(CATALOGUES, language)
