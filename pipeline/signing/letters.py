"""Emails to signers."""

from pipeline import mail
from pipeline.database import Row
from pipeline.database.effects import Event
from pipeline.mail import texts
from pipeline.mail.languages import language_of, moment
from pipeline.mail.rendering import branding_of, render

PAGE = "/sign/"


def queue(event: Event, signer: Row, part: str, effect_key: str, code_id: int | None = None) -> None:
    """Queues the email `part` (a `signer_part`) of a `signature_email` row."""
    mail.queue(
        event.settings,
        letter(signer, part, event.settings.public_url),
        to_email=signer["email"],
        to_name=texts.as_name(signer["name"]),
        effect_key=effect_key,
        from_name=signer["organization"],
        reply_to_email=signer["rep_email"],
        signer_id=signer["id"],
        signer_part=part,
        code_id=code_id,
    )


def letter(signer: Row, part: str, public_url: str) -> mail.Letter:
    """The Letter; mail.TOKEN stands for the token, or for the code."""
    language, asks = language_of(signer["language"]), part in ("sign", "reminder")
    local = signer["expires_local"] if asks else signer["copy_until_local"]
    expires = local and moment(local, signer["time_zone"], signer["language"])
    kind = signer["status"] if part == "ended" else part
    words = texts.signing(language, kind, signer, expires)
    return render(
        "invite" if asks else "signing",
        language,
        branding_of(signer, public_url),
        signer["organization"],
        words,
        note=signer["message"] if asks else None,
        url=f"{public_url}{PAGE}{mail.TOKEN}" if asks or part == "completed" else None,
        stop_url=None,
        code=mail.TOKEN if part == "code" else None,
        preheader=words.get("preheader", words["opening"]),
    )
