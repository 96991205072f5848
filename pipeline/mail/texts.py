"""Plain texts of emails and notifications, a JSON file for each language.

A `_nobody` key replaces its namesake without a name. `title` may hold a stranger's words and never enters an email.
Names stay out of subjects and links. A webhook's URL may be secret beyond its host.
"""

import re
from collections.abc import Mapping
from typing import Any

from pipeline.database import Row
from pipeline.mail.addresses import MAX_NAME, one_line
from pipeline.mail.languages import FSI, PDI, WORDS, is_rtl, plural

# Shown to users.
MAYBE_SENT = "The mail server may have accepted this email: no answer was recorded. The service does not send it again."
BOUNCED = "The email was accepted and came back: {}"
STALE = "The invite could no longer be answered when its email was due."
NEEDLESS = "The prospect had answered, or had stopped the reminders, when this one was due."

# Mail clients turn this into a link.
_RTL = re.compile(r"[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]")
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
    """`expires` is a moment in words; `instead`, `reminder` or `continue`, overrides texts."""
    names = {"organization": organization, "interview": interview, "name": recipient, "rep": rep, "expires": expires}
    own = WORDS[language]
    words = {**own["every"], **own["invite"], **(own[instead] if instead else {})}
    return {"heading": isolated(language, interview), **filled(language, words, names)}


def copy(language: str, organization: str, interview: str) -> dict[str, str]:
    names = {"organization": organization, "interview": interview, "name": None}
    return filled(language, {**WORDS[language]["every"], **WORDS[language]["copy"]}, names)


def notification(kind: str, language: str, cause: str | None = None, **names: str | None) -> dict[str, Any]:
    """Title, subject, body, lines and button of a kind (`submitted`); a `cause` has texts of its own."""
    own = WORDS[language]
    words = {**own[kind], **(own[f"{kind}_{cause}"] if cause else {})}
    return {"lines": [], **filled(language, words, names)}


def about(language: str, **facts: str | None) -> list[str]:
    """A line for each fact, except those that look like links."""
    named = {key: as_name(value) for key, value in facts.items()}
    words = WORDS[language]["about"]
    return [words[key].format(value=isolated(language, value)) for key, value in named.items() if value]


def lead_digest(language: str, forms: list[tuple[str, int]]) -> dict[str, Any]:
    """`forms` are (form, count) pairs."""
    words = WORDS[language]["digest"]
    return {
        "subject": plural(language, WORDS[language]["more_leads"], sum(leads for _, leads in forms)),
        "body": words["body"],
        "lines": [words["line"].format(form=isolated(language, form), leads=leads) for form, leads in forms],
        "button": words["button"],
    }


def unlinked(text: str | None) -> str | None:
    """A name without what mail programs turn into a link: "www.evil.example" becomes "www evil example"."""
    return re.sub(r"\s*(?:://|[@.．。｡])+(?=\w)\s*", " ", text) if text and _LINK.search(text) else text


def isolated(language: str, text: str) -> str:
    """A text whose direction cannot disturb the sentence around it (Unicode's FSI and PDI)."""
    return f"{FSI}{text}{PDI}" if text and (is_rtl(language) or _RTL.search(text)) else text


def bare(text: str) -> str:
    """A text without isolates."""
    return text.replace(FSI, "").replace(PDI, "")


def as_name(text: str | None) -> str | None:
    """A name on one line; None if empty or like a link."""
    name = one_line(text, MAX_NAME)
    return name if name and not _LINK.search(name) else None


def account_link(link: Row, language: str) -> dict[str, str]:
    """Texts of an `account_link_mail` row."""
    names = {"name": as_name(link["name"]), "inviter": as_name(link["inviter_name"])}
    names |= {"inviter_email": link["inviter_email"], "organization": link["organization"]}
    return filled(language, {**WORDS[language]["every"], **WORDS[language][link["kind"]]}, names)


def signing(language: str, kind: str, signer: Row, expires: str | None) -> dict[str, str]:
    """Texts of a `signature_email` row; `kind` is sign, reminder, code, completed, declined or cancelled."""
    own = WORDS[language]
    words = {**own["every"], **(own["signer_sign"] if kind == "reminder" else {}), **own[f"signer_{kind}"]}
    names = {name: signer[name] for name in ("organization", "contract")}
    names |= {"number": signer["contract_number"], "name": as_name(signer["name"]), "rep": as_name(signer["rep_name"])}
    heading = isolated(language, signer["contract"])
    return {"heading": heading, **filled(language, words, {**names, "expires": expires})}


def filled(language: str, words: Mapping[str, str], names: Mapping[str, str | None]) -> dict[str, str]:
    """Fills in `names`, isolated; a missing one selects the `_nobody` form."""
    shown = {name: (unlinked(value) if name == "organization" else value) or "" for name, value in names.items()}
    shown = {name: value if name == "expires" else isolated(language, value) for name, value in shown.items()}
    missing = [f"{{{name}}}" for name, value in names.items() if not value]
    texts = {}
    for key, text in words.items():
        if not key.endswith("_nobody"):
            unnamed = any(place in text for place in missing)
            texts[key] = (words.get(f"{key}_nobody", text) if unnamed else text).format(**shown)
    return texts
