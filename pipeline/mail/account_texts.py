"""The words of the emails about accounts, filled in with names that can be shown."""

import re

from pipeline.database import Row
from pipeline.mail.addresses import MAX_NAME, one_line
from pipeline.mail.languages import WORDS
from pipeline.mail.texts import filled

# What mail programs turn into a link by themselves: an address, a host name, a scheme.
_LINK = re.compile(r"://|@|\bwww\.|\w[.．。｡]\w{2,}", re.IGNORECASE)


def as_name(text: str | None) -> str | None:
    """A name as somebody typed it, on one line; None without one, or when mail programs would make a link of it."""
    name = one_line(text, MAX_NAME)
    return name if name and not _LINK.search(name) else None


def texts_of(link: Row, language: str) -> dict[str, str]:
    """The texts of the email of an `account_link_mail` row, which also has the letterhead of its organization."""
    people = {"name": as_name(link["name"]), "inviter": as_name(link["inviter_name"])}
    names = {**people, "inviter_email": link["inviter_email"], "organization": link["organization"]}
    words = {**WORDS[language]["every"], **WORDS[language][link["kind"]]}
    # Only an invitation names who invites.
    named = {"greeting": people["name"], **({"opening": people["inviter"]} if "opening_nobody" in words else {})}
    return filled(words, names, **named)
