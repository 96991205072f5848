"""Pages of a template: their texts, which questions stand on them, and the last one."""

from pipeline.interviews.parts import CONDITION, KEY, REFERENCE, Part
from pipeline.validation import Boolean, HttpsUrl, Listing, Text, optional, required

MAX_PAGES = 50
MAX_QUESTIONS = 300


class Page(Part):
    """A page of a form: the keys of its questions, in order."""

    key = required(KEY)
    title = optional(Text(500))
    description = optional(Text(5000, lines=True))
    visible_if = optional(CONDITION)
    questions = required(Listing(REFERENCE, MAX_QUESTIONS, min_items=1))


class ThankYou(Part):
    """The last page of a form."""

    title = optional(Text(200))
    body = optional(Text(5000, lines=True))
    redirect_url = optional(HttpsUrl())
    show_answers = optional(Boolean())
    send_copy = optional(Boolean())
