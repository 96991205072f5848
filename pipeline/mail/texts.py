"""The English of every email and notification, in one place.

The texts are plain; whoever puts them into HTML escapes them.
"""

# Why an email has not been sent.
MAYBE_SENT = "The mail server may have accepted this email: no answer was recorded. It is not sent again by itself."
STALE = "The invite could no longer be answered when its email was due."

DAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
MONTHS = (
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
)


def moment(local, time_zone):
    """A local time (naive datetime) in words, with the name of its time zone."""
    day = f"{DAYS[local.weekday()]}, {local.day} {MONTHS[local.month - 1]} {local.year}"
    return f"{day}, {local:%H:%M} ({time_zone.replace('_', ' ')})"


def invite(organization, interview, recipient, rep, expires):
    """The texts of an invite's email: dict of strings.

    `recipient` and `rep` are names and may be None; `expires` is a moment in words.
    """
    return {
        "subject": f"{organization} invites you: {interview}",
        "preheader": f"A few questions from {organization}, so that we can prepare the right offer for you.",
        "greeting": f"Hello {recipient}," if recipient else "Hello,",
        "heading": interview,
        "opening": f"{rep} at {organization} asks you" if rep else f"{organization} asks you",
        "request": "to answer a few questions, so that we can prepare what fits your needs.",
        "button": "Open the questions",
        "saved": "Your answers are saved as you go: you can stop at any time and come back with the same link.",
        "expires": f"The link works until {expires}.",
        "fallback": "If the button does not work, copy this address into your browser:",
        "personal": "The link is meant for you alone; please do not pass it on.",
        "footer": f"You receive this email because {organization} invited you. "
        "If you did not expect it, you can ignore it.",
    }


# What a notification's row says, `title`, names whom it is about. Its email does not: these may be the words of
# anybody who has found a public form, and a subject or a text with "Call www.…" is a link in many a mail program.


def interview_submitted(prospect, interview):
    """Title, subject, body and button of the notification about a submitted interview; `prospect` may be None."""
    return {
        "title": f"{prospect or 'A prospect'} submitted “{interview}”",
        "subject": f"Interview submitted: {interview}",
        "body": "The answers are complete and locked. You can read them now.",
        "lines": [],
        "button": "Read the answers",
    }


def lead_captured(lead, company, interview):
    """Title, subject, body and button of the notification about a lead from a public form."""
    return {
        "title": f"New lead: {lead}, {company}" if company else f"New lead: {lead}",
        "subject": f"New lead: {interview}",
        "body": f"The lead came in through the form “{interview}”.",
        "lines": [],
        "button": "Open the lead",
    }


def lead_digest(forms):
    """Subject, body, lines and button of the digest of captured leads; `forms` are pairs (form, how many leads)."""
    total = sum(leads for _, leads in forms)
    return {
        "subject": f"{total} more new leads" if total > 1 else "1 more new lead",
        "body": "So many leads came in within an hour that these are told together:",
        "lines": [f"“{form}”: {leads}" for form, leads in forms],
        "button": "Open the leads",
    }


def notification_footer(organization):
    """Why a person of the organization gets a notification."""
    return f"You receive this email because you have a seat at {organization}."
