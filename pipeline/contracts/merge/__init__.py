"""Contract templates, their merge tags, and the contract made from them.

docs/merge-tags.md describes the language.
"""

from pipeline.contracts.merge.catalogue import catalogue, own_tags
from pipeline.contracts.merge.clauses import clause_keys
from pipeline.contracts.merge.conditions import Labelled
from pipeline.contracts.merge.lint import check, paragraphs, prints
from pipeline.contracts.merge.resolve import Resolved, TooLarge, resolve
from pipeline.contracts.merge.sanitize import sanitize
from pipeline.contracts.merge.source import open_revisions, warnings
from pipeline.contracts.merge.values.filters import country_name, style_of
