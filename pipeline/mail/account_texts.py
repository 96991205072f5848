"""The texts of the emails about accounts, in every language of emails; a translation is an entry here.

The texts are plain; whoever puts them into HTML escapes them. What stands in braces is filled in; what ends in
`_nobody` takes the place of a text whose person has no name that can be shown.
"""

import re

from pipeline.database import Row
from pipeline.mail.addresses import MAX_NAME, one_line
from pipeline.mail.texts import EVERY, filled

RESET = {
    "en": {
        "subject": "Set a new password",
        "heading": "Set a new password",
        "opening": "Somebody, presumably you, has asked for a new password for your account.",
        "button": "Choose a password",
        "expires": "The link works once, within an hour.",
        "ignore": "If you did not ask for it, you can ignore this email: your password stays as it is.",
        "footer": "You receive this email because you have an account at {organization}.",
    },
    "de": {
        "subject": "Neues Passwort festlegen",
        "heading": "Neues Passwort festlegen",
        "opening": "Jemand, vermutlich Sie selbst, hat ein neues Passwort für Ihr Konto angefordert.",
        "button": "Passwort wählen",
        "expires": "Der Link funktioniert einmal, innerhalb einer Stunde.",
        "ignore": "Wenn Sie das nicht angefordert haben, ist nichts zu tun: Ihr Passwort bleibt, wie es ist.",
        "footer": "Sie erhalten diese E-Mail, weil Sie ein Konto bei {organization} haben.",
    },
    "ar": {
        "subject": "تعيين كلمة مرور جديدة",
        "heading": "تعيين كلمة مرور جديدة",
        "opening": "طلب شخص ما، ويُرجَّح أنه أنت، كلمة مرور جديدة لحسابك.",
        "button": "اختيار كلمة مرور",
        "expires": "يعمل الرابط مرة واحدة، خلال ساعة.",
        "ignore": "إذا لم تطلب ذلك، فتجاهل هذه الرسالة: تبقى كلمة مرورك كما هي.",
        "footer": "تتلقى هذه الرسالة لأن لديك حسابًا في {organization}.",
    },
}

ACTIVATE = {
    "en": {
        "subject": "Invitation to {organization}",
        "heading": "Join {organization}",
        "opening": "{inviter} ({inviter_email}) invites you to work in {organization}. "
        "Nothing happens until you accept.",
        "opening_nobody": "You are invited to work in {organization}. Nothing happens until you accept.",
        "button": "Open the invitation",
        "expires": "The link works once, within three days.",
        "ignore": "If you did not expect it, you can ignore this email: you get neither access nor an account.",
        "footer": "You receive this email because {organization} invited you.",
    },
    "de": {
        "subject": "Einladung zu {organization}",
        "heading": "Bei {organization} mitarbeiten",
        "opening": "{inviter} ({inviter_email}) lädt Sie ein, bei {organization} mitzuarbeiten. "
        "Nichts geschieht, bevor Sie annehmen.",
        "opening_nobody": "Sie sind eingeladen, bei {organization} mitzuarbeiten. "
        "Nichts geschieht, bevor Sie annehmen.",
        "button": "Einladung öffnen",
        "expires": "Der Link funktioniert einmal, innerhalb von drei Tagen.",
        "ignore": "Wenn Sie das nicht erwartet haben, ist nichts zu tun: Sie erhalten weder Zugang noch Konto.",
        "footer": "Sie erhalten diese E-Mail, weil {organization} Sie eingeladen hat.",
    },
    "ar": {
        "subject": "دعوة إلى {organization}",
        "heading": "الانضمام إلى {organization}",
        "opening": "يدعوك {inviter} ({inviter_email}) إلى العمل في {organization}. لن يحدث شيء قبل أن تقبل.",
        "opening_nobody": "أنت مدعو إلى العمل في {organization}. لن يحدث شيء قبل أن تقبل.",
        "button": "فتح الدعوة",
        "expires": "يعمل الرابط مرة واحدة، خلال ثلاثة أيام.",
        "ignore": "إذا لم تكن تتوقع ذلك، فتجاهل هذه الرسالة: لن تحصل على وصول ولا على حساب.",
        "footer": "تتلقى هذه الرسالة لأن {organization} دعتك.",
    },
}

KINDS = {"activate": ACTIVATE, "reset": RESET}
# What mail programs turn into a link by themselves: an address, a host name, a scheme.
_LINK = re.compile(r"://|@|\bwww\.|\w[.．。｡]\w{2,}", re.IGNORECASE)


def as_name(text: str | None) -> str | None:
    """A name as somebody typed it, on one line; None without one, or when mail programs would make a link of it."""
    name = one_line(text, MAX_NAME)
    return name if name and not _LINK.search(name) else None


def texts_of(link: Row, language: str) -> dict[str, str]:
    """The texts of the email of an `account_link_mail` row."""
    people = {"name": as_name(link["name"]), "inviter": as_name(link["inviter_name"])}
    names = {**people, "inviter_email": link["inviter_email"], "organization": link["organization"]}
    words = {**EVERY[language], **KINDS[link["kind"]][language]}
    # Only an invitation names who invites.
    named = {"greeting": people["name"], **({"opening": people["inviter"]} if "opening_nobody" in words else {})}
    return filled(words, names, **named)
