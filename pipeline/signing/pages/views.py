"""The signer's page."""

import functools
from collections.abc import Callable

from pyramid.response import Response

from pipeline.api.html_pages import HtmlPage, Shown
from pipeline.api.responses import unless_known
from pipeline.database import FORMS, Row, savepoint
from pipeline.files import file_response
from pipeline.http.clients import peer_address
from pipeline.http.fairness import slots
from pipeline.signing import access, service
from pipeline.signing.pages import actions, showing
from pipeline.signing.pages.visit import SigningVisit
from pipeline.validation.errors import Problem

signing = HtmlPage("/sign/{token}", SigningVisit)
viewed = HtmlPage("/sign/viewed/{token}", functools.partial(SigningVisit, by_script=True))
document = HtmlPage("/sign/document/{token}", SigningVisit)
copy = HtmlPage("/sign/copy/{token}", SigningVisit)
drawing = HtmlPage("/sign/drawing/{token}", SigningVisit)
picture = HtmlPage("/sign/picture/{token}", SigningVisit)


@signing.on("GET", transaction=FORMS)
def get_signing(visit: SigningVisit) -> Shown:
    """The contract, or the state of its signature."""
    asked = "asked" in visit.request.GET and bool(visit.secret)
    return functools.partial(showing.show, visit, _open(visit), asked=asked)


@signing.on("POST", transaction=FORMS, form=True)
def post_signing(visit: SigningVisit) -> Shown:
    """Acts and redirects."""
    act = actions.ACTIONS.get(visit.fields.get("_go"))
    if act is None:
        raise Problem("malformed_request")
    row = _open(visit)
    try:
        with savepoint():
            onward, errors = act(visit, row, client_of(visit))
    except Problem as problem:
        if problem.code != "contract_changed":
            raise
        return functools.partial(showing.show, visit, row, state="changed")
    if errors:
        row = _open(visit)
        # A second tab may have entered the code meanwhile.
        if ("code" in errors) == (showing.state_of(row) == "code"):
            return functools.partial(showing.show, visit, row, errors, asked=True)
    return visit.redirect(**onward)


@viewed.on("POST", transaction=FORMS)
def post_viewed(visit: SigningVisit) -> Response:
    """The first view, reported by script."""
    service.view(visit.token, client_of(visit))
    return Response(status=204)


@document.on("GET", transaction=FORMS)
def get_document(visit: SigningVisit) -> Response:
    return _file(visit, service.document)


@copy.on("GET", transaction=FORMS)
def get_copy(visit: SigningVisit) -> Response:
    return _file(visit, service.signed_copy)


@drawing.on("GET", transaction=FORMS)
def get_drawing(visit: SigningVisit) -> Response:
    """The drawn signature."""
    row = _open(visit)
    access.check_opened(row)
    if showing.is_over(row):
        raise Problem("signing_ended")
    if row["drawing"] is None:
        raise Problem("not_found")
    return Response(bytes(row["drawing"]), content_type="image/png")


@picture.on("GET", transaction=FORMS)
def get_picture(visit: SigningVisit) -> Response:
    """A picture of the contract."""
    return _file(visit, functools.partial(service.picture, id=visit.request.GET.get("id", "")))


def client_of(visit: SigningVisit) -> access.Client:
    request = visit.request
    return access.Client(peer_address(request), request.user_agent or "", visit.secret)


def _open(visit: SigningVisit) -> Row:
    row = service.open_signing(visit.token, client_of(visit))
    if row is None:
        raise Problem("not_found")
    slots.share(visit.request, row["organization_id"], strangers=True)
    visit.texts = visit.speak({**row, "locale": row["language"]}).dated(row["region"])
    return row


def _file(visit: SigningVisit, find: Callable[[str, access.Client], int]) -> Response:
    held = functools.partial(slots.hold_download, visit.request, _open(visit)["organization_id"])
    return unless_known(visit.request, file_response(find(visit.token, client_of(visit)), held))
