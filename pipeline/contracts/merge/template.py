"""A template's HTML, read once however many contracts are made from it."""

from functools import lru_cache

from pipeline.contracts.merge.catalogue import TAGS
from pipeline.contracts.merge.runs import runs
from pipeline.contracts.merge.sanitize import cleaned
from pipeline.contracts.merge.tags import Found, find
from pipeline.documents.subset import TEMPLATE, parse


class Template:
    """The tree of a template and the tags of its runs. Contracts share it: they work on copies of the tree."""

    def __init__(self, content: str) -> None:
        self.body = parse(cleaned(content), TEMPLATE)
        self._tags = {run.text: known_tags(run.text) for run in runs(self.body) if "{{" in run.text}

    def tags(self, text: str) -> list[Found]:
        """The tags in the text of a run."""
        if "{{" not in text:
            return []
        # Where a condition took an element out, texts have met that stood apart in the template.
        return self._tags[text] if text in self._tags else known_tags(text)


def known_tags(text: str) -> list[Found]:
    """The tags of a text that the catalogue has, in order."""
    return [one for one in find(text) if one.name in TAGS]


# The Template of HTML; raises TooComplex for what `sanitize` would have refused. A few are kept.
read_template = lru_cache(maxsize=8)(Template)
