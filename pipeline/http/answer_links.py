"""Signed links with which a rep reads the answers of one interview from an email, without a login, for 14 days."""

from typing import NamedTuple

from pipeline.http import signed_links
from pipeline.settings import Settings

DAYS = 14
PURPOSE = b"links to answers"


class AnswerLink(NamedTuple):
    """What a link says: whose answers, who reads them, until when (epoch)."""

    organization_id: int
    invite_id: int
    user_id: int
    expires: int


def answers_url(settings: Settings, organization_id: int, invite_id: int, user_id: int) -> str | None:
    """The address of the page of an invite's answers, for one of the organization's people; None without a secret."""
    ids = {"org": organization_id, "invite": invite_id, "user": user_id}
    made = signed_links.sign(settings, PURPOSE, DAYS * 86_400, **ids)
    return made and f"{settings.public_url}/forms/answers/{made[0]}"


def read_link(settings: Settings, signed: str) -> AnswerLink:
    """The AnswerLink of a signed text; 410 once its time is over, 404 for every text that we have not signed."""
    return AnswerLink(*signed_links.read(settings, PURPOSE, signed, ("org", "invite", "user")))
