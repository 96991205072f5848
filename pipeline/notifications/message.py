"""The email of a notification or a digest, to somebody of the organization."""

from collections.abc import Mapping
from typing import Any

from pipeline.database import Row
from pipeline.mail.languages import WORDS, language_of
from pipeline.mail.rendering import Letter, branding_of, render


def compose(public_url: str, about: Row, words: Mapping[str, Any], url: str | None) -> Letter:
    """The Letter of `words` (subject, body, lines, button); `about` has organization, locale, branding and logo.

    Without a `url` there is no button.
    """
    language = language_of(about["locale"])
    return render(
        "notification",
        language,
        branding_of(about, public_url),
        about["organization"],
        words,
        url=url,
        preheader=words["body"],
        footer=WORDS[language]["seat"]["footer"].format(organization=about["organization"]),
    )
