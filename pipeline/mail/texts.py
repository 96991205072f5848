"""The words of the emails about invites and of notifications, filled in.

They stand in texts/, a JSON file for each language with a part for each kind of email; a translation is a file there.
The texts are plain; whoever puts them into HTML escapes them. What stands in braces is filled in; a key that ends in
`_nobody` takes the place of the other one where there is nobody to name. What `reminder` and `continue` say stands in
the place of the same words of `invite`.

`title` names whom a notification is about and stands in its row alone, not in its email: these may be the words of
anybody who has found a public form, and a subject or a text with "Call www.…" is a link in many a mail program. Of a
webhook the host alone is named: its address may hold a secret.
"""

from pipeline.mail.languages import WORDS, plural

# Why an email has not been sent, for the organization's people.
MAYBE_SENT = "The mail server may have accepted this email: no answer was recorded. It is not sent again by itself."
STALE = "The invite could no longer be answered when its email was due."
NEEDLESS = "The invite was answered, or no reminder wanted any more, when the reminder was due."


def invite(language, organization, interview, recipient, rep, expires, instead):
    """The texts of an invite's email: dict of strings.

    `recipient` and `rep` are names and may be None; `expires` is a moment in words; `instead` is `reminder` or
    `continue`, whose words stand in the place of those of a first email, or None.
    """
    names = {"organization": organization, "interview": interview, "name": recipient, "rep": rep, "expires": expires}
    own = WORDS[language]
    words = {**own["every"], **own["invite"], **(own[instead] if instead else {})}
    return {"heading": interview, **filled(words, names, greeting=recipient, opening=rep)}


def copy(language, organization, interview):
    """The texts of the email that brings a prospect the copy of their answers; nobody is named in it."""
    names = {"organization": organization, "interview": interview}
    return filled({**WORDS[language]["every"], **WORDS[language]["copy"]}, {**names, "name": None}, greeting=None)


def interview_submitted(language, prospect, interview):
    """Title, subject, body, lines and button of the notification about a submitted interview; prospect may be None."""
    names = {"prospect": prospect, "interview": interview}
    return {"lines": [], **filled(WORDS[language]["submitted"], names, title=prospect)}


def link_asked(language, prospect, interview):
    """The same of the notification that the prospect of an expired invite asks for a new link."""
    names = {"prospect": prospect, "interview": interview}
    return {"lines": [], **filled(WORDS[language]["link_asked"], names, title=prospect)}


def lead_captured(language, lead, company, interview):
    """Title, subject, body, lines and button of the notification about a lead from a form; company may be None."""
    names = {"lead": lead, "company": company, "interview": interview}
    return {"lines": [], **filled(WORDS[language]["captured"], names, title=company)}


def webhook_paused(language, host):
    """Title, subject, body, lines and button of the notification about a webhook that was paused."""
    return {"lines": [], **filled(WORDS[language]["paused"], {"host": host})}


def lead_digest(language, forms):
    """Subject, body, lines and button of the digest of captured leads; `forms` are pairs (form, how many leads)."""
    words = WORDS[language]["digest"]
    return {
        "subject": plural(language, WORDS[language]["more_leads"], sum(leads for _, leads in forms)),
        "body": words["body"],
        "lines": [words["line"].format(form=form, leads=leads) for form, leads in forms],
        "button": words["button"],
    }


def notification_footer(language, organization):
    """Why a person of the organization gets a notification."""
    return WORDS[language]["seat"]["footer"].format(organization=organization)


def filled(words, names, **people):
    """Texts with `names` filled in. `people`: for each key that has a `_nobody` form, who is named, or None."""
    chosen = {key: words[key] if person else words[f"{key}_nobody"] for key, person in people.items()}
    own = {key: text for key, text in words.items() if not key.endswith("_nobody")}
    return {key: text.format(**names) for key, text in {**own, **chosen}.items()}
