"""The texts of the emails about accounts, in every language of the forms; a translation is an entry here.

The texts are plain; whoever puts them into HTML escapes them. `{name}` and `{organization}` are filled in.
"""

DEFAULT = "en"
RIGHT_TO_LEFT = ("ar",)

EVERY = {
    "en": {
        "greeting": "Hello {name},",
        "fallback": "If the button does not work, copy this address into your browser:",
        "personal": "The link is meant for you alone; please do not pass it on.",
    },
    "de": {
        "greeting": "Guten Tag {name},",
        "fallback": "Wenn die Schaltfläche nicht funktioniert, kopieren Sie diese Adresse in Ihren Browser:",
        "personal": "Der Link ist nur für Sie bestimmt; bitte geben Sie ihn nicht weiter.",
    },
    "ar": {
        "greeting": "مرحبًا {name}،",
        "fallback": "إذا لم يعمل الزر، فانسخ هذا العنوان إلى متصفحك:",
        "personal": "هذا الرابط مخصص لك وحدك؛ يُرجى عدم مشاركته مع أحد.",
    },
}

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

KINDS = {"reset": RESET}


def language_of(locale):
    """The language (str) that texts are in for a locale such as `de-AT`; English for one that nobody has translated."""
    language = locale.replace("_", "-").partition("-")[0].lower()
    return language if language in EVERY else DEFAULT


def direction_of(language):
    """`rtl` or `ltr`."""
    return "rtl" if language in RIGHT_TO_LEFT else "ltr"


def texts_of(kind, language, **values):
    """The texts of an email (dict of strings) of a kind of account link."""
    return {key: text.format(**values) for key, text in {**EVERY[language], **KINDS[kind][language]}.items()}
