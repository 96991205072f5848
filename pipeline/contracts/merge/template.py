"""Parsed templates, cached."""

from functools import lru_cache

from pipeline.contracts.merge.catalogue import OWN, TAGS
from pipeline.contracts.merge.runs import runs
from pipeline.contracts.merge.sanitize import cleaned
from pipeline.contracts.merge.tags import TagMatch, find
from pipeline.documents.subset import TEMPLATE, parse


class Template:
    """A template's tree and tags; change only copies of the tree."""

    def __init__(self, content: str) -> None:
        self.body = parse(cleaned(content), TEMPLATE)
        self._tags = {run.text: known_tags(run.text) for run in runs(self.body) if "{{" in run.text}

    def tags(self, text: str) -> list[TagMatch]:
        if "{{" not in text:
            return []
        # A removed element can join texts that the template does not have.
        return self._tags[text] if text in self._tags else known_tags(text)


def known_tags(text: str) -> list[TagMatch]:
    """The tags of the catalogue and of own fields in a text."""
    return [one for one in find(text) if one.name in TAGS or (one.name or "").startswith(OWN)]


# Raises TooComplex for HTML that `sanitize` refuses.
read_template = lru_cache(maxsize=8)(Template)
