"""The look of a form and its last page: colours that can be read, links that are safe."""

from pipeline.interviews.parts import Part
from pipeline.validation import Boolean, HttpsUrl, Text, optional


class ThankYou(Part):
    """The last page of a form."""

    title = optional(Text(200))
    body = optional(Text(5000, lines=True))
    redirect_url = optional(HttpsUrl())
    show_answers = optional(Boolean())
    send_copy = optional(Boolean())
