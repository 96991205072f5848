"""Contract templates, their merge tags, and the contract made from them.

docs/merge-tags.md describes the language.
"""

from pipeline.contracts.merge.catalogue import catalogue as catalogue
from pipeline.contracts.merge.catalogue import own_tags as own_tags
from pipeline.contracts.merge.clauses import clause_keys as clause_keys
from pipeline.contracts.merge.conditions import Labelled as Labelled
from pipeline.contracts.merge.filters import country_name as country_name
from pipeline.contracts.merge.filters import style_of as style_of
from pipeline.contracts.merge.lint import check as check
from pipeline.contracts.merge.lint import paragraphs as paragraphs
from pipeline.contracts.merge.lint import prints as prints
from pipeline.contracts.merge.resolve import Resolved as Resolved
from pipeline.contracts.merge.resolve import TooLarge as TooLarge
from pipeline.contracts.merge.resolve import resolve as resolve
from pipeline.contracts.merge.sanitize import sanitize as sanitize
from pipeline.contracts.merge.source import warnings as warnings
