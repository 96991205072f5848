"""The words of the emails about accounts, in the languages of words/, and names that may stand among them."""

import re
from pathlib import Path

from pipeline import languages
from pipeline.mail.addresses import MAX_NAME, one_line

FOLDER = Path(__file__).parent / "words"
CATALOGUES = languages.load(FOLDER)
# What mail programs turn into a link by themselves: an address, a host name, a scheme.
_LINK = re.compile(r"://|@|\bwww\.|\w[.．。｡]\w{2,}", re.IGNORECASE)


def words_for(language):
    """The Texts of a language tag; English for one that nobody has translated."""
    return languages.choose(CATALOGUES, language)


def as_name(text):
    """A name that somebody else has typed, on one line; None without one, or when mail programs would make it a link."""
    name = one_line(text, MAX_NAME)
    return name if name and not _LINK.search(name) else None


def invitation(words, organization, name, inviter, inviter_email):
    """The texts of an invitation's email in `words`, a Texts: dict of strings.

    `name` and `inviter` are names as they were typed and may be None.
    """
    name, inviter = as_name(name), as_name(inviter)
    by = {"organization": organization, "person": inviter, "email": inviter_email}
    return {
        "subject": words("invitation.subject", organization=organization),
        "heading": words("invitation.heading", organization=organization),
        "greeting": words("greeting", name=name) if name else words("greeting.nobody"),
        "opening": words("invitation.by" if inviter else "invitation.opening", **by),
        "request": words("invitation.request"),
        "button": words("invitation.button"),
        "expires": words("invitation.expires"),
        "fallback": words("fallback"),
        "personal": words("personal"),
        "footer": words("invitation.footer", organization=organization),
    }
