"""The words of the emails about invites and of notifications, in every language of emails.

The texts are plain; whoever puts them into HTML escapes them. What stands in braces is filled in; a key that ends in
`_nobody` takes the place of the other one where there is nobody to name. A translation is an entry here, in
account_texts.py and in languages.py.
"""

from collections.abc import Mapping
from typing import Any

from pipeline.mail.languages import plural

# Why an email has not been sent, for the organization's people.
MAYBE_SENT = "The mail server may have accepted this email: no answer was recorded. It is not sent again by itself."
STALE = "The invite could no longer be answered when its email was due."
NEEDLESS = "The invite was answered, or no reminder wanted any more, when the reminder was due."

EVERY = {
    "en": {
        "greeting": "Hello {name},",
        "greeting_nobody": "Hello,",
        "fallback": "If the button does not work, copy this address into your browser:",
        "personal": "The link is meant for you alone; please do not pass it on.",
    },
    "de": {
        "greeting": "Guten Tag {name},",
        "greeting_nobody": "Guten Tag,",
        "fallback": "Wenn die Schaltfläche nicht funktioniert, kopieren Sie diese Adresse in Ihren Browser:",
        "personal": "Der Link ist nur für Sie bestimmt; bitte geben Sie ihn nicht weiter.",
    },
    "ar": {
        "greeting": "مرحبًا {name}،",
        "greeting_nobody": "مرحبًا،",
        "fallback": "إذا لم يعمل الزر، فانسخ هذا العنوان إلى متصفحك:",
        "personal": "هذا الرابط مخصص لك وحدك؛ يُرجى عدم مشاركته مع أحد.",
    },
}

INVITE = {
    "en": {
        "subject": "{organization} invites you: {interview}",
        "preheader": "A few questions from {organization}, so that we can prepare the right offer for you.",
        "opening": "{rep} at {organization} asks you",
        "opening_nobody": "{organization} asks you",
        "request": "to answer a few questions, so that we can prepare what fits your needs.",
        "button": "Open the questions",
        "saved": "Your answers are saved as you go: you can stop at any time and come back with the same link.",
        "expires": "The link works until {expires}.",
        "footer": "You receive this email because {organization} invited you. "
        "If you did not expect it, you can ignore it.",
    },
    "de": {
        "subject": "{organization} lädt Sie ein: {interview}",
        "preheader": "Einige Fragen von {organization}, damit wir das passende Angebot für Sie vorbereiten können.",
        "opening": "{rep} von {organization} bittet Sie,",
        "opening_nobody": "{organization} bittet Sie,",
        "request": "einige Fragen zu beantworten, damit wir vorbereiten können, was zu Ihnen passt.",
        "button": "Fragen öffnen",
        "saved": "Ihre Antworten werden laufend gespeichert: Sie können jederzeit aufhören und mit demselben Link "
        "zurückkommen.",
        "expires": "Der Link funktioniert bis {expires}.",
        "footer": "Sie erhalten diese E-Mail, weil {organization} Sie eingeladen hat. "
        "Wenn Sie das nicht erwartet haben, ist nichts zu tun.",
    },
    "ar": {
        "subject": "دعوة من {organization}: {interview}",
        "preheader": "بضعة أسئلة من {organization} لكي نُعدّ لك العرض المناسب.",
        "opening": "يطلب منك {rep} من {organization}",
        "opening_nobody": "نطلب منك نحن في {organization}",
        "request": "الإجابة عن بضعة أسئلة لكي نُعدّ ما يناسب احتياجاتك.",
        "button": "فتح الأسئلة",
        "saved": "تُحفظ إجاباتك أولًا بأول: يمكنك التوقف في أي وقت والعودة بالرابط نفسه.",
        "expires": "يعمل الرابط حتى {expires}.",
        "footer": "تتلقى هذه الرسالة لأن {organization} دعتك. إذا لم تكن تتوقعها، فتجاهلها.",
    },
}

# What is said in a reminder in the place of the words of INVITE.
REMINDER = {
    "en": {
        "subject": "Reminder: {interview}",
        "preheader": "The questions of {organization} are still open.",
        "opening": "{rep} at {organization} asked you",
        "opening_nobody": "{organization} asked you",
        "request": "to answer a few questions. Nothing is answered yet, so here is the link once more.",
        "stop": "Do not remind me again",
        "footer": "You receive this reminder because {organization} invited you.",
    },
    "de": {
        "subject": "Erinnerung: {interview}",
        "preheader": "Die Fragen von {organization} sind noch offen.",
        "opening": "{rep} von {organization} hat Sie gebeten,",
        "opening_nobody": "{organization} hat Sie gebeten,",
        "request": "einige Fragen zu beantworten. Noch ist nichts beantwortet, deshalb hier noch einmal der Link.",
        "stop": "Nicht mehr erinnern",
        "footer": "Sie erhalten diese Erinnerung, weil {organization} Sie eingeladen hat.",
    },
    "ar": {
        "subject": "تذكير: {interview}",
        "preheader": "ما زالت أسئلة {organization} في انتظارك.",
        "opening": "طلب منك {rep} من {organization}",
        "opening_nobody": "طلبنا منك نحن في {organization}",
        "request": "الإجابة عن بضعة أسئلة. لم تصل أي إجابة بعد، ولذلك نرسل إليك الرابط مرة أخرى.",
        "stop": "لا أريد تذكيرات أخرى",
        "footer": "تتلقى هذا التذكير لأن {organization} دعتك.",
    },
}

# The same where the prospect of a public form has asked for their own link.
CONTINUE = {
    "en": {
        "subject": "Your link: {interview}",
        "preheader": "Go on with your answers whenever it suits you.",
        "opening_nobody": "You asked for this link",
        "request": "to go on with your answers later. What you have answered so far is kept.",
        "button": "Go on",
        "footer": "You receive this email because somebody who filled in a form of {organization} gave your address "
        "to continue later. If it was not you, you can ignore it.",
    },
    "de": {
        "subject": "Ihr Link: {interview}",
        "preheader": "Machen Sie mit Ihren Antworten weiter, wann es Ihnen passt.",
        "opening_nobody": "Sie haben um diesen Link gebeten,",
        "request": "um Ihre Antworten später fortzusetzen. Was Sie bisher geantwortet haben, bleibt erhalten.",
        "button": "Weitermachen",
        "footer": "Sie erhalten diese E-Mail, weil jemand beim Ausfüllen eines Formulars von {organization} Ihre "
        "Adresse angegeben hat, um später weiterzumachen. Wenn Sie das nicht waren, ist nichts zu tun.",
    },
    "ar": {
        "subject": "رابطك: {interview}",
        "preheader": "تابع إجاباتك متى شئت.",
        "opening_nobody": "لقد طلبت هذا الرابط",
        "request": "لتتابع إجاباتك لاحقًا. ما أجبت عنه حتى الآن محفوظ.",
        "button": "متابعة",
        "footer": "تتلقى هذه الرسالة لأن شخصًا كان يملأ نموذجًا لدى {organization} ذكر عنوانك ليتابع لاحقًا. "
        "إذا لم تكن أنت، فتجاهلها.",
    },
}

COPY = {
    "en": {
        "subject": "Your answers: {interview}",
        "heading": "Your answers",
        "opening": "Here is the copy of your answers that you asked for, as a PDF.",
        "footer": "You receive this email because somebody who answered the questions of {organization} gave your "
        "address and asked for a copy. If it was not you, you can delete it.",
    },
    "de": {
        "subject": "Ihre Antworten: {interview}",
        "heading": "Ihre Antworten",
        "opening": "Hier ist die Kopie Ihrer Antworten, um die Sie gebeten haben, als PDF.",
        "footer": "Sie erhalten diese E-Mail, weil jemand, der Fragen von {organization} beantwortet hat, Ihre Adresse "
        "angegeben und um eine Kopie gebeten hat. Wenn Sie das nicht waren, können Sie sie löschen.",
    },
    "ar": {
        "subject": "إجاباتك: {interview}",
        "heading": "إجاباتك",
        "opening": "إليك نسخة من إجاباتك كما طلبت، بصيغة PDF.",
        "footer": "تتلقى هذه الرسالة لأن شخصًا أجاب عن أسئلة {organization} ذكر عنوانك وطلب نسخة. "
        "إذا لم تكن أنت، فيمكنك حذفها.",
    },
}

# `title` names whom a notification is about and stands in its row alone, not in its email: these may be the words of
# anybody who has found a public form, and a subject or a text with "Call www.…" is a link in many a mail program.
SUBMITTED = {
    "en": {
        "title": "{prospect} submitted “{interview}”",
        "title_nobody": "A prospect submitted “{interview}”",
        "subject": "Interview submitted: {interview}",
        "body": "The answers are complete and locked. You can read them now.",
        "button": "Read the answers",
    },
    "de": {
        "title": "{prospect} hat „{interview}“ abgeschickt",
        "title_nobody": "Ein Interessent hat „{interview}“ abgeschickt",
        "subject": "Interview abgeschickt: {interview}",
        "body": "Die Antworten sind vollständig und gesperrt. Sie können sie jetzt lesen.",
        "button": "Antworten lesen",
    },
    "ar": {
        "title": "أرسل {prospect} إجابات «{interview}»",
        "title_nobody": "أُرسلت إجابات «{interview}»",
        "subject": "أُرسلت إجابات المقابلة: {interview}",
        "body": "الإجابات مكتملة ومقفلة. يمكنك قراءتها الآن.",
        "button": "قراءة الإجابات",
    },
}

LINK_ASKED = {
    "en": {
        "title": "{prospect} asks for a new link: “{interview}”",
        "title_nobody": "A prospect asks for a new link: “{interview}”",
        "subject": "A new link is asked for: {interview}",
        "body": "The invite has expired, and its prospect asks for a new one. What was answered so far is kept.",
        "button": "Open the invite",
    },
    "de": {
        "title": "{prospect} bittet um einen neuen Link: „{interview}“",
        "title_nobody": "Ein Interessent bittet um einen neuen Link: „{interview}“",
        "subject": "Bitte um einen neuen Link: {interview}",
        "body": "Die Einladung ist abgelaufen, und ihr Empfänger bittet um eine neue. Die bisherigen Antworten "
        "bleiben erhalten.",
        "button": "Einladung öffnen",
    },
    "ar": {
        "title": "يطلب {prospect} رابطًا جديدًا: «{interview}»",
        "title_nobody": "يطلب عميل محتمل رابطًا جديدًا: «{interview}»",
        "subject": "طلب رابط جديد: {interview}",
        "body": "انتهت صلاحية الدعوة ويطلب متلقيها دعوة جديدة. الإجابات السابقة محفوظة.",
        "button": "فتح الدعوة",
    },
}

CAPTURED = {
    "en": {
        "title": "New lead: {lead}, {company}",
        "title_nobody": "New lead: {lead}",
        "subject": "New lead: {interview}",
        "body": "The lead came in through the form “{interview}”.",
        "button": "Open the lead",
    },
    "de": {
        "title": "Neuer Lead: {lead}, {company}",
        "title_nobody": "Neuer Lead: {lead}",
        "subject": "Neuer Lead: {interview}",
        "body": "Der Lead kam über das Formular „{interview}“.",
        "button": "Lead öffnen",
    },
    "ar": {
        "title": "عميل محتمل جديد: {lead}، {company}",
        "title_nobody": "عميل محتمل جديد: {lead}",
        "subject": "عميل محتمل جديد: {interview}",
        "body": "وصل العميل المحتمل عبر النموذج «{interview}».",
        "button": "فتح بيانات العميل المحتمل",
    },
}

# How many leads a digest tells of, by the language's plural categories.
MORE_LEADS = {
    "en": {"one": "1 more new lead", "other": "{count} more new leads"},
    "de": {"one": "1 weiterer neuer Lead", "other": "{count} weitere neue Leads"},
    "ar": {
        "one": "عميل محتمل جديد آخر",
        "two": "عميلان محتملان جديدان آخران",
        "few": "{count} عملاء محتملين جدد آخرين",
        "many": "{count} عميلًا محتملًا جديدًا آخر",
        "other": "{count} عميل محتمل جديد آخر",
    },
}

DIGEST = {
    "en": {
        "body": "So many leads came in within an hour that these are told together:",
        "line": "“{form}”: {leads}",
        "button": "Open the leads",
    },
    "de": {
        "body": "Innerhalb einer Stunde kamen so viele Leads, dass diese zusammen gemeldet werden:",
        "line": "„{form}“: {leads}",
        "button": "Leads öffnen",
    },
    "ar": {
        "body": "وصل خلال ساعة عدد كبير من العملاء المحتملين، ولذلك نخبرك بهؤلاء معًا:",
        "line": "«{form}»: {leads}",
        "button": "فتح العملاء المحتملين",
    },
}

# The host alone: an address of a webhook may hold a secret.
PAUSED = {
    "en": {
        "title": "Webhook paused: {host}",
        "subject": "Webhook paused: {host}",
        "body": "Nothing was taken there for five days, so nothing is sent any longer. Once its receiver works, "
        "make the webhook active again.",
        "button": "Open the webhook",
    },
    "de": {
        "title": "Webhook angehalten: {host}",
        "subject": "Webhook angehalten: {host}",
        "body": "Fünf Tage lang wurde dort nichts angenommen, deshalb wird nichts mehr gesendet. Sobald der Empfänger "
        "wieder arbeitet, schalten Sie den Webhook wieder ein.",
        "button": "Webhook öffnen",
    },
    "ar": {
        "title": "أُوقف الويب هوك: {host}",
        "subject": "أُوقف الويب هوك: {host}",
        "body": "لم تُقبل أي رسالة هناك منذ خمسة أيام، ولذلك لم يعد يُرسل شيء. بعد إصلاح المستقبِل، أعد تفعيل الويب هوك.",
        "button": "فتح الويب هوك",
    },
}

SEAT = {
    "en": "You receive this email because you have a seat at {organization}.",
    "de": "Sie erhalten diese E-Mail, weil Sie bei {organization} mitarbeiten.",
    "ar": "تتلقى هذه الرسالة لأنك عضو في {organization}.",
}


def invite(
    language: str,
    organization: str,
    interview: str,
    recipient: str | None,
    rep: str | None,
    expires: str,
    instead: Mapping[str, Mapping[str, str]],
) -> dict[str, str]:
    """The texts of an invite's email.

    `recipient` and `rep` are names and may be None; `expires` is a moment in words; `instead` are the texts (REMINDER,
    CONTINUE, or none) that stand in the place of those of a first email.
    """
    names = {"organization": organization, "interview": interview, "name": recipient, "rep": rep, "expires": expires}
    forms = {**EVERY[language], **INVITE[language], **instead.get(language, {})}
    return {"heading": interview, **filled(forms, names, greeting=recipient, opening=rep)}


def copy(language: str, organization: str, interview: str) -> dict[str, str]:
    """The texts of the email that brings a prospect the copy of their answers; nobody is named in it."""
    names = {"organization": organization, "interview": interview}
    return filled({**EVERY[language], **COPY[language]}, {**names, "name": None}, greeting=None)


def interview_submitted(language: str, prospect: str | None, interview: str) -> dict[str, Any]:
    """Title, subject, body, lines and button of the notification about a submitted interview; prospect may be None."""
    names = {"prospect": prospect, "interview": interview}
    return {"lines": [], **filled(SUBMITTED[language], names, title=prospect)}


def link_asked(language: str, prospect: str | None, interview: str) -> dict[str, Any]:
    """The same of the notification that the prospect of an expired invite asks for a new link."""
    names = {"prospect": prospect, "interview": interview}
    return {"lines": [], **filled(LINK_ASKED[language], names, title=prospect)}


def lead_captured(language: str, lead: str, company: str | None, interview: str) -> dict[str, Any]:
    """Title, subject, body, lines and button of the notification about a lead from a form; company may be None."""
    names = {"lead": lead, "company": company, "interview": interview}
    return {"lines": [], **filled(CAPTURED[language], names, title=company)}


def webhook_paused(language: str, host: str) -> dict[str, Any]:
    """Title, subject, body, lines and button of the notification about a webhook that was paused."""
    return {"lines": [], **filled(PAUSED[language], {"host": host})}


def lead_digest(language: str, forms: list[tuple[str, int]]) -> dict[str, Any]:
    """Subject, body, lines and button of the digest of captured leads; `forms` are pairs (form, how many leads)."""
    words = DIGEST[language]
    return {
        "subject": plural(language, MORE_LEADS[language], sum(leads for _, leads in forms)),
        "body": words["body"],
        "lines": [words["line"].format(form=form, leads=leads) for form, leads in forms],
        "button": words["button"],
    }


def notification_footer(language: str, organization: str) -> str:
    """Why a person of the organization gets a notification."""
    return SEAT[language].format(organization=organization)


def filled(words: Mapping[str, str], names: Mapping[str, str | None], **people: str | None) -> dict[str, str]:
    """Texts with `names` filled in. `people`: for each key that has a `_nobody` form, who is named, or None."""
    chosen = {key: words[key] if person else words[f"{key}_nobody"] for key, person in people.items()}
    own = {key: text for key, text in words.items() if not key.endswith("_nobody")}
    return {key: text.format(**names) for key, text in {**own, **chosen}.items()}
