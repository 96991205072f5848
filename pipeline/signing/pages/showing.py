"""The states of the signer's page."""

import datetime
from collections.abc import Mapping
from typing import Any
from zoneinfo import ZoneInfo

from markupsafe import Markup
from pyramid.response import Response

from pipeline.database import Row
from pipeline.http.fairness.slots import PAGE, hold
from pipeline.signing.access import COPY_DAYS
from pipeline.signing.pages.contract import margin, readable
from pipeline.signing.pages.visit import SigningVisit
from pipeline.validation.types import isolate_direction

# Longer contracts need a slot: about 15 ms of CPU.
SHORT = 20_000
SIGNED = ("signed", "completed")
STATUSES = {"cancelled": 410, "expired": 410, "changed": 409}
PARTS = {"open": "sign_open.html", "code": "sign_code.html", **dict.fromkeys(SIGNED, "sign_signed.html")}
ALONE = "sign_alone.html"


def state_of(row: Row) -> str:
    if row["status"] == "declined":
        return "declined" if row["signer_status"] == "declined" else "declined_other"
    if row["status"] not in ("sent", "completed"):
        return str(row["status"])
    if row["signer_status"] == "waiting":
        return "waiting"
    if not row["opened"] and not is_over(row):
        return "code"
    if row["status"] == "completed":
        return "completed"
    return "signed" if row["signer_status"] == "signed" else "open"


def show(
    visit: SigningVisit, row: Row, errors: Mapping[str, str] = {}, asked: bool = False, state: str | None = None
) -> Response:
    """The page of a request; `asked`: a code was sent. 422 with errors, by field."""
    state = state or state_of(row)
    organization = isolate_direction(row["organization_name"])
    values = {"organization": organization, "email": hint(row["signer_email"]), "date": _copy_until(visit, row)}
    hidden = state in ("code", "waiting") or not row["opened"] or is_over(row)
    part = ALONE if hidden and state != "code" else PARTS.get(state, ALONE)
    return visit.render(
        "sign.html",
        422 if errors else STATUSES.get(state, 200),
        state=state,
        part=part,
        alone=part in (ALONE, PARTS["code"]),
        heading=row["contract_name"] if state == "open" else visit.texts(f"sign.{state}.title"),
        contract_name=row["contract_name"] if not hidden else row["organization_name"],
        number=None if hidden else row["contract_number"],
        lead=visit.texts(f"sign.{_lead(row, state, asked)}.body", **values),
        errors=errors,
        code_sent=asked,
        row=row,
        organization_apart=organization,
        contract=_contract(visit, row) if state in ("open", "signed") else None,
        margins=[] if hidden else [(place, margin(row["layout"], place)) for place in ("header", "footer")],
        given=_entered_values(visit, errors) if state == "open" else None,
        today=visit.texts.date(datetime.datetime.now(ZoneInfo(row["time_zone"])).date()),
        until=_moment(visit, row, row["expires_at"]),
        signed_at=_moment(visit, row, row["signed_at"]),
        signers=None if hidden else [_signer(visit, row, one) for one in row["signers"]],
    )


def is_over(row: Row) -> bool:
    """Whether the link shows nothing of the contract any more."""
    return row["status"] != "sent" and not row["has_copy"]


def hint(email: str) -> str:
    """An address that only its owner recognizes."""
    local, _, domain = email.rpartition("@")
    return isolate_direction(f"{local[:1]}…@{domain}")


def _lead(row: Row, state: str, asked: bool) -> str:
    if state == "code" and asked:
        return "code_sent"
    if state == "completed" and not row["has_copy"]:
        return "copy_gone"
    if state == "signed" and all(signer["status"] == "signed" for signer in row["signers"]):
        return "sealing"
    return state


def _contract(visit: SigningVisit, row: Row) -> Markup | None:
    content, layout = row["content"], row["layout"]
    if content is None:
        return None
    if len(content) > SHORT:
        hold(visit.request, PAGE, row["organization_id"])
    language, direction = layout.get("language") or "en", layout.get("direction") or "ltr"
    return readable(content, language, direction, visit.texts("sign.table"), f"/sign/picture/{visit.token}?id=")


def _entered_values(visit: SigningVisit, errors: Mapping[str, str]) -> dict[str, str]:
    names = ("signature", "drawing", "consent", "reason")
    given = {"kind": visit.fields.get("kind", "typed"), **{name: visit.fields.get(name) for name in names}}
    # A second submit of the same name confirms it.
    return {**given, "confirmed": given["signature"] if errors else ""}


def _signer(visit: SigningVisit, row: Row, signer: Row) -> dict[str, Any]:
    at = signer["signed_at"]
    return {**signer, "date": at and visit.texts.timestamp(at, row["time_zone"])}


def _copy_until(visit: SigningVisit, row: Row) -> str | None:
    if not row["has_copy"]:
        return None
    until = row["ended_at"] + datetime.timedelta(COPY_DAYS)
    return visit.texts.timestamp(until.isoformat(), row["time_zone"])


def _moment(visit: SigningVisit, row: Row, moment: datetime.datetime | None) -> str | None:
    if moment is None:
        return None
    zone = row["time_zone"]
    return f"{visit.texts.moment(moment.isoformat(), zone)} ({zone.replace('_', ' ')})"
