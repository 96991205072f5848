"""The page that checks a PDF. It stores nothing."""

from collections.abc import Mapping
from typing import Any

from pyramid.response import Response

from pipeline.api.endpoint import NONE
from pipeline.api.html_pages import HtmlPage
from pipeline.api.uploads import UploadField, read_upload
from pipeline.http.clients import client_address
from pipeline.http.fairness import limits
from pipeline.http.fairness.lines import CHECK, lines_of
from pipeline.signing.pages.visit import SigningVisit
from pipeline.signing.sealing import Verification, verify
from pipeline.signing.sealing.verification import MAX_SIZE, UNREADABLE
from pipeline.validation import Invalid
from pipeline.validation.errors import Problem
from pipeline.validation.types import DIRECTION_CONTROLS

FILE = UploadField("file", MAX_SIZE)

page = HtmlPage("/verify", SigningVisit)


@page.on("GET", transaction=NONE)
def get_verification(visit: SigningVisit) -> Response:
    """The form."""
    return _show(visit, "verify")


@page.on("POST", transaction=NONE, limit=limits.VERIFICATION)
def post_verification(visit: SigningVisit) -> Response:
    """The result of a check."""
    # A hostile file takes 768 MiB and four seconds. A file that is refused is not even read.
    with lines_of(visit.request).turn(CHECK, client_address(visit.request)):
        try:
            upload = read_upload(visit.request, FILE)
        except Invalid:
            return _refuse(visit, "file")
        except Problem as problem:
            if problem.code != "body_too_large":
                raise
            return _refuse(visit, "large")
        found = verify(visit.request.registry.pipeline, upload.file)
    return _tell(visit, upload.filename, found)


def _tell(visit: SigningVisit, filename: str, found: Verification) -> Response:
    t = visit.texts
    if found.reason == UNREADABLE:
        return _refuse(visit, "unread")
    rows = {
        "verify.file": DIRECTION_CONTROLS.sub("", filename),
        "verify.number": found.contract_number,
        "verify.organization": found.organization_name,
        "verify.slug": found.organization_slug,
        "verify.sealed_at": found.sealed_at and t.moment(found.sealed_at.isoformat(), "UTC") + " (UTC)",
    }
    facts = [(t(key), words) for key, words in rows.items() if words]
    state = "foreign" if not found.ours else "genuine" if found.intact else "changed"
    return _show(visit, state, facts=facts, signers=found.signers)


def _refuse(visit: SigningVisit, key: str) -> Response:
    return _show(visit, "verify", {"file": visit.texts(f"verify.error.{key}")})


def _show(visit: SigningVisit, state: str, errors: Mapping[str, str] | None = None, **values: Any) -> Response:
    heading = visit.texts(f"verify.{state}.title")
    return visit.render(
        "verify.html", 422 if errors else 200, state=state, heading=heading, errors=errors or {}, **values
    )
