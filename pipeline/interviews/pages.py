"""Pages of a template: their texts, and which questions stand on them."""

from pipeline.interviews.parts import CONDITION, KEY, REFERENCE, Part
from pipeline.validation import Listing, Text, optional, required

MAX_PAGES = 50
MAX_QUESTIONS = 300


class Page(Part):
    """A page of a form: the keys of its questions, in order."""

    key = required(KEY)
    title = optional(Text(500))
    description = optional(Text(5000, lines=True))
    visible_if = optional(CONDITION)
    questions = required(Listing(REFERENCE, MAX_QUESTIONS, min_items=1))
