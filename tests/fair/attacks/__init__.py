"""The attacks by name, in their order: functions of a Field, each with a sentence."""

from tests.fair.attacks import accounts, forms, heavy, mail, slow, uploads, webhooks

# Those of `make tests`: one of each kind. Documents are queued before others have used up what a user may ask for.
SHORT = (
    "silent bodies, 200",
    "unread copies",
    "queued documents",
    "complex documents",
    "company search, 66 words",
    "imports",
    "wrong logins, 11",
)
ATTACKS = {
    **slow.ATTACKS,
    **heavy.ATTACKS,
    **forms.ATTACKS,
    **uploads.ATTACKS,
    **mail.ATTACKS,
    **webhooks.ATTACKS,
    **accounts.ATTACKS,
}
