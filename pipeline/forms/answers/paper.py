"""An invite's answers as PDF, for rep or prospect."""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from markupsafe import Markup

from pipeline import documents, files
from pipeline.contracts.glyphs import missing_glyphs
from pipeline.database import Row
from pipeline.forms.answers.table import read, template_values
from pipeline.forms.page.rendering import ENVIRONMENT
from pipeline.forms.translations import Texts, texts_for
from pipeline.interviews.answers.captured_lead import email_of
from pipeline.interviews.templates.translations import translated


class AnswersCopy(NamedTuple):
    """Document, `form_answers_about` row, address or None."""

    document: documents.Document
    about: Row
    to_email: str | None


def paper(id: int) -> documents.Document | None:
    """The rep's Document in the organization's language; None for an unknown invite."""
    found = read(id)
    if found is None:
        return None
    about, responses, version = found
    return _document(id, about, responses, translated(version, [about["locale"]]), texts_for(about["locale"]))


def copy(id: int, language: str) -> AnswersCopy | None:
    """The prospect's Copy, without flags, contact and tips; None for an unknown invite. An address in the answers
    precedes the invited one.
    """
    found = read(id)
    if found is None:
        return None
    about, responses, version = found
    # The form may have languages without page texts.
    version, texts = translated(version, [language]), texts_for(language)
    about |= {"interview": version["name"], "locale": language}
    own = {"title": texts("done.answers"), "tips": False, "flags": (), "person": {}, "hidden": {}}
    document = _document(id, about, responses, version, texts, **own)
    return AnswersCopy(document, about, email_of(version, responses["answers"]) or about["recipient_email"])


def _document(id: int, about: Row, responses: Row, version: Row, texts: Texts, **instead: Any) -> documents.Document:
    logo = about["logo_file_id"]
    shown = {"tips": True, **template_values(about, responses, version, texts)}
    shown = {**shown, "title": shown["heading"], **instead}
    content = Markup(ENVIRONMENT.get_template("paper.html").render(**shown, t=texts))
    margins = {"header_right": version["name"], "footer_left": about["organization_name"]}
    glyphs = missing_glyphs(content, margins, invite_id=id)
    named = {ord(glyph["character"]): f"[{glyph['name'].lower()}]" for glyph in glyphs}
    return documents.Document(
        title=shown["title"],
        language=texts.language,
        content=Markup(content.translate(named)) + _unprinted(glyphs, texts),
        **{name: text.translate(named) for name, text in margins.items()},
        footer_right="{{page}} / {{pages}}",
        logo=files.read(logo) if logo else None,
        direction=texts.direction,
        author=about["organization_name"],
        created=about["today"],
    )


def _unprinted(glyphs: Sequence[Mapping[str, str]], texts: Texts) -> Markup:
    """Says that names stand for characters without a font."""
    if not glyphs:
        return Markup("")
    characters = ", ".join(f"{glyph['name']} (U+{ord(glyph['character']):04X})" for glyph in glyphs)
    return Markup("<p><em>{}</em></p>").format(texts("answers.unprinted", characters=characters))
