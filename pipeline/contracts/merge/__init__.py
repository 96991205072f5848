"""Contract templates as text: what HTML they may hold, their merge tags, and a contract made from them.

Pure functions without a database. `sanitize` when a template is saved, then `check`; `resolve` when a contract is
made from it. docs/merge-tags.md describes the language for those who write templates.
"""

from pipeline.contracts.merge.catalogue import catalogue
from pipeline.contracts.merge.filters import country_name, style_of
from pipeline.contracts.merge.lint import check, paragraphs, prints
from pipeline.contracts.merge.resolve import Resolved, TooLarge, resolve
from pipeline.contracts.merge.sanitize import sanitize

__all__ = [
    "Resolved",
    "TooLarge",
    "catalogue",
    "check",
    "country_name",
    "paragraphs",
    "prints",
    "resolve",
    "sanitize",
    "style_of",
]
