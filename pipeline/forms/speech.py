"""The texts of a form on a page or paper that may be in another language: each is marked with the one that it is in."""

from markupsafe import Markup

from pipeline.forms.rendering import breakable
from pipeline.forms.texts import Texts, Tongue, tongue
from pipeline.interviews.translations import Untranslated
from pipeline.validation import Values


class Speech:
    """How the texts of a form are marked where the words around them are some Texts."""

    def __init__(self, template: Values, texts: Texts) -> None:
        """template: as `translated` gives it."""
        # The first of a form's languages is the template's own.
        own, spoken = tongue(template["languages"][0]), tongue(template["language"])
        self.own, self.spoken = _marks(own, texts), _marks(spoken, texts)

    def __call__(self, text: str | None) -> Markup:
        """The attributes of an element that holds a text of the form: its direction, and its language where that is
        not the one around it; none without a text.

        What is written from right to left runs so, whatever it begins with; of any other text its first letter decides.
        """
        if not text:
            return Markup("")
        return self.own if isinstance(text, Untranslated) else self.spoken

    def marked(self, text: str) -> Markup:
        """The Markup of a text of the form within a sentence."""
        # Both are markup: to format them as such costs a long review tenths of a second.
        return Markup(f"<bdi{self(text)}>{breakable(text)}</bdi>")


def _marks(tongue: Tongue, texts: Texts) -> Markup:
    """The attributes of a text in a Tongue among the words of some Texts."""
    lang = "" if tongue.tag.partition("-")[0] == texts.language else Markup(' lang="{}"').format(tongue.tag)
    return lang + Markup(' dir="{}"').format("rtl" if tongue.direction == "rtl" else "auto")
