"""Pages of a template."""

from pipeline.interviews.parts import CONDITION, KEY, REFERENCE, Part
from pipeline.validation import Boolean, HttpsUrl, Listing, Text, optional, required

MAX_PAGES = 50
MAX_QUESTIONS = 300


class Page(Part):
    """A page with its question keys in order."""

    key = required(KEY)
    title = optional(Text(500))
    description = optional(Text(5000, lines=True))
    visible_if = optional(CONDITION)
    questions = required(Listing(REFERENCE, MAX_QUESTIONS, min_items=1))


class ThankYou(Part):
    """The page after the submit."""

    title = optional(Text(200))
    body = optional(Text(5000, lines=True))
    redirect_url = optional(HttpsUrl())
    show_answers = optional(Boolean())
    send_copy = optional(Boolean())
