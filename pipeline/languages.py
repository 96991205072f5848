"""Words by language: a folder with one JSON file for each, flat keys; a translation is a file.

A key that a translation lacks is taken from English.
"""

import datetime
import json

DEFAULT = "en"
FOR_MODULE = "js."


class Texts:
    """One language's words: `texts("error.at_least", min=3)` is a sentence. `js.` keys are for the browser's module."""

    def __init__(self, language, words):
        self.language = language
        self.words = words
        self.direction = words["language.dir"]
        self.for_module = {
            key.removeprefix(FOR_MODULE): text for key, text in words.items() if key.startswith(FOR_MODULE)
        }

    def __call__(self, key, **values):
        return self.words[key].format(**values) if values else self.words[key]

    def date(self, day):
        """A datetime.date or datetime as people write it."""
        return self("date.pattern", day=day.day, month=self(f"month.{day.month}"), year=day.year)

    def timestamp(self, moment):
        """The day of a timestamp as the API writes it, in words."""
        return self.date(datetime.datetime.fromisoformat(moment))


def load(folder):
    """{language: Texts} of a folder."""
    read = {path.stem: json.loads(path.read_text("utf-8")) for path in sorted(folder.glob("*.json"))}
    return {language: Texts(language, {**read[DEFAULT], **words}) for language, words in read.items()}


def choose(catalogues, language):
    """The Texts of a language tag such as `de` or `de-AT`; English for one that nobody has translated."""
    tag = (language or "").replace("_", "-").lower()
    return catalogues.get(tag) or catalogues.get(tag.partition("-")[0]) or catalogues[DEFAULT]
