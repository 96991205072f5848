"""The words of the emails about invites and accounts, and of notifications, filled in.

They stand in texts/, a JSON file for each language with a part for each kind of email; a translation is a file there.
The texts are plain; whoever puts them into HTML escapes them. What stands in braces is filled in; a key that ends in
`_nobody` takes the place of the other one where there is nobody to name. What `reminder` and `continue` say stands in
the place of the same words of `invite`.

`title` names whom a notification is about and stands in its row alone: these may be the words of anybody who has found
a public form. An email names them in lines of its text (`about`), never in its subject, and only if no mail program
makes a link of them. Of a webhook the host alone is named: its address may hold a secret.
"""

import re
from collections.abc import Mapping
from typing import Any

from pipeline.database import Row
from pipeline.mail.addresses import MAX_NAME, one_line
from pipeline.mail.languages import WORDS, plural

# Why an email has not been sent, for the organization's people.
MAYBE_SENT = "The mail server may have accepted this email: no answer was recorded. It is not sent again by itself."
STALE = "The invite could no longer be answered when its email was due."
NEEDLESS = "The invite was answered, or no reminder wanted any more, when the reminder was due."

# What mail programs turn into a link by themselves: an address, a host name, a scheme.
_LINK = re.compile(r"://|@|\bwww\.|\w[.．。｡]\w{2,}", re.IGNORECASE)


def invite(
    language: str,
    organization: str,
    interview: str,
    recipient: str | None,
    rep: str | None,
    expires: str,
    instead: str | None,
) -> dict[str, str]:
    """The texts of an invite's email.

    `recipient` and `rep` are names and may be None; `expires` is a moment in words; `instead` is `reminder` or
    `continue`, whose words stand in the place of those of a first email, or None.
    """
    names = {"organization": organization, "interview": interview, "name": recipient, "rep": rep, "expires": expires}
    own = WORDS[language]
    words = {**own["every"], **own["invite"], **(own[instead] if instead else {})}
    return {"heading": interview, **filled(words, names)}


def copy(language: str, organization: str, interview: str) -> dict[str, str]:
    """The texts of the email that brings a prospect the copy of their answers; nobody is named in it."""
    names = {"organization": organization, "interview": interview, "name": None}
    return filled({**WORDS[language]["every"], **WORDS[language]["copy"]}, names)


def notification(kind: str, language: str, **names: str | None) -> dict[str, Any]:
    """Title, subject, body, lines and button of a notification, `submitted` for instance; `names` are filled in."""
    return {"lines": [], **filled(WORDS[language][kind], names)}


def about(language: str, **facts: str | None) -> list[str]:
    """A line for each fact about an interview: its `prospect`, `lead` and `flags`.

    These may be the words of strangers. A word that a mail program would turn into a link is left out.
    """
    named = {key: as_name(value) for key, value in facts.items()}
    return [WORDS[language]["about"][key].format(value=value) for key, value in named.items() if value]


def lead_digest(language: str, forms: list[tuple[str, int]]) -> dict[str, Any]:
    """Subject, body, lines and button of the digest of captured leads; `forms` are pairs (form, how many leads)."""
    words = WORDS[language]["digest"]
    return {
        "subject": plural(language, WORDS[language]["more_leads"], sum(leads for _, leads in forms)),
        "body": words["body"],
        "lines": [words["line"].format(form=form, leads=leads) for form, leads in forms],
        "button": words["button"],
    }


def as_name(text: str | None) -> str | None:
    """A name as somebody typed it, on one line; None without one, or when mail programs would make a link of it."""
    name = one_line(text, MAX_NAME)
    return name if name and not _LINK.search(name) else None


def account_link(link: Row, language: str) -> dict[str, str]:
    """The texts of the email of an `account_link_mail` row."""
    names = {"name": as_name(link["name"]), "inviter": as_name(link["inviter_name"])}
    names |= {"inviter_email": link["inviter_email"], "organization": link["organization"]}
    return filled({**WORDS[language]["every"], **WORDS[language][link["kind"]]}, names)


def filled(words: Mapping[str, str], names: Mapping[str, str | None]) -> dict[str, str]:
    """Texts with `names` filled in; one that would name nobody, None or empty, gives way to its `_nobody` form."""
    missing = [f"{{{name}}}" for name, value in names.items() if not value]
    texts = {}
    for key, text in words.items():
        if not key.endswith("_nobody"):
            unnamed = any(place in text for place in missing)
            texts[key] = (words.get(f"{key}_nobody", text) if unnamed else text).format(**names)
    return texts
