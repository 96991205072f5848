"""The parsed HTML of a template, cached between contracts."""

from functools import lru_cache

from pipeline.contracts.merge.catalogue import TAGS
from pipeline.contracts.merge.runs import runs
from pipeline.contracts.merge.sanitize import cleaned
from pipeline.contracts.merge.tags import Found, find
from pipeline.documents.subset import TEMPLATE, parse


class Template:
    """The tree of a template and the tags of its runs; callers must copy the tree before a change."""

    def __init__(self, content: str) -> None:
        self.body = parse(cleaned(content), TEMPLATE)
        self._tags = {run.text: known_tags(run.text) for run in runs(self.body) if "{{" in run.text}

    def tags(self, text: str) -> list[Found]:
        """Returns the tags in a run's text."""
        if "{{" not in text:
            return []
        # Removing an element can join two texts into one that the template does not have.
        return self._tags[text] if text in self._tags else known_tags(text)


def known_tags(text: str) -> list[Found]:
    """Returns the known tags of a text in order."""
    return [one for one in find(text) if one.name in TAGS]


# Raises TooComplex for HTML that `sanitize` refuses.
read_template = lru_cache(maxsize=8)(Template)
