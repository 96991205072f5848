"""The Jinja2 environment of the pages, and the language of texts."""

import re

from jinja2 import Environment, PackageLoader
from markupsafe import Markup, escape

from pipeline.forms.directions import CONTACT, isolated, runs_right
from pipeline.forms.questions.piping import Piped
from pipeline.forms.translations import FormLanguage, Texts, form_language
from pipeline.interviews.templates.translations import Untranslated
from pipeline.validation import Values

# Separators in email addresses and URLs.
_JOINT = re.compile(r"(?<=\S)(?<![@./?&=_-])([@./?&=_-]++)(?=\w)")

_ELEMENTS = {"\0": "<wbr>", "\x01": '<bdi dir="ltr">', "\x02": "</bdi>"}

ENVIRONMENT = Environment(
    loader=PackageLoader("pipeline.forms"), autoescape=True, trim_blocks=True, lstrip_blocks=True, auto_reload=False
)


def breakable(text: str) -> Markup:
    """Adds `<wbr>` after separators in text, and isolates its numbers and addresses; Markup and Piped texts stay."""
    if hasattr(text, "__html__"):
        return escape(text)
    if runs_right(text):
        text = CONTACT.sub("\x01\\g<0>\x02", text)
    # Control characters, which no text has, mark the places, because the escaped text has other separators.
    marked = str(escape(_JOINT.sub("\\1\0", text)))
    for mark, element in _ELEMENTS.items():
        marked = marked.replace(mark, element)
    return Markup(marked)


def apart(text: str) -> str:
    """A text for a place without markup, such as an attribute."""
    return text.apart if isinstance(text, Piped) else text


ENVIRONMENT.filters["breakable"] = breakable
ENVIRONMENT.filters["apart"] = apart
ENVIRONMENT.filters["isolated"] = isolated


class Speech:
    """Attributes for a form's texts on a page."""

    def __init__(self, template: Values, texts: Texts) -> None:
        """template: from `translated`."""
        # The template's own language comes first.
        own, spoken = form_language(template["languages"][0]), form_language(template["language"])
        self.own, self.spoken = _marks(own, texts), _marks(spoken, texts)
        self.composed = Markup(' dir="{}"').format("rtl" if spoken.direction == "rtl" else "ltr")

    def __call__(self, text: str | None) -> Markup:
        """`dir`, and `lang` if it differs from the page; empty without a text."""
        if not text:
            return Markup("")
        return self.own if isinstance(text, Untranslated) else self.spoken

    def around(self, answer: str) -> Markup:
        """`dir` of an answer in words; Markup is composed."""
        return self.composed if isinstance(answer, Markup) else Markup(' dir="auto"')

    def marked(self, text: str) -> Markup:
        # `Markup.format` costs a long review tenths of a second.
        return Markup(f"<bdi{self(text)}>{breakable(text)}</bdi>")


def _marks(tongue: FormLanguage, texts: Texts) -> Markup:
    lang = "" if tongue.tag.partition("-")[0] == texts.language else Markup(' lang="{}"').format(tongue.tag)
    return lang + Markup(' dir="{}"').format("rtl" if tongue.direction == "rtl" else "auto")
