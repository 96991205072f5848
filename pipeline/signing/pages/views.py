"""The signer's page. GET changes nothing, because mail scanners open every link."""

import functools
from collections.abc import Callable
from typing import TypeVar

from pyramid.response import Response

from pipeline.database import Row
from pipeline.files import file_response
from pipeline.forms.reading import read_fields
from pipeline.forms.visit import SavingVisit, check_site, page_of
from pipeline.http.core.clients import peer_address
from pipeline.http.core.request import Request
from pipeline.http.endpoints.way import transaction
from pipeline.http.quotas import slots
from pipeline.signing import access, service
from pipeline.signing.pages import actions, showing
from pipeline.signing.pages.visit import SigningVisit
from pipeline.validation.errors import Problem

T = TypeVar("T")
signing_page = page_of(SigningVisit)


class ViewedVisit(SavingVisit, SigningVisit):
    """A request by the page's script."""


@signing_page
def get_signing(visit: SigningVisit) -> Response:
    """The contract, or the state of its signature."""
    visit.count()
    return showing.show(visit, _open(visit), asked="asked" in visit.request.GET and bool(visit.secret))


@signing_page
def post_signing(visit: SigningVisit) -> Response:
    """Acts and redirects."""
    check_site(visit.request)
    visit.fields = read_fields(visit.request)
    visit.count()
    act = actions.ACTIONS.get(visit.fields.get("_go"))
    if act is None:
        raise Problem("malformed_request")
    row = _open(visit)
    try:
        onward, errors = _within(visit, lambda: act(visit, row, client_of(visit)))
    except Problem as problem:
        if problem.code != "contract_changed":
            raise
        return showing.show(visit, row, state="changed")
    if errors:
        row = _open(visit)
        # A second tab may have entered the code meanwhile.
        if ("code" in errors) == (showing.state_of(row) == "code"):
            return showing.show(visit, row, errors, asked=True)
    return visit.redirect(**onward)


@page_of(ViewedVisit)
def post_viewed(visit: ViewedVisit) -> Response:
    """The first view, reported by script."""
    check_site(visit.request)
    visit.count()
    _within(visit, lambda: service.view(visit.token, client_of(visit)))
    return Response(status=204)


@signing_page
def get_document(visit: SigningVisit) -> Response:
    """The PDF to sign."""
    return _file(visit, service.document)


@signing_page
def get_copy(visit: SigningVisit) -> Response:
    """The signed PDF."""
    return _file(visit, service.signed_copy)


@signing_page
def get_drawing(visit: SigningVisit) -> Response:
    """The drawn signature."""
    visit.count()
    row = _open(visit)
    if not row["opened"]:
        raise Problem("code_required")
    if row["drawing"] is None:
        raise Problem("not_found")
    return Response(bytes(row["drawing"]), content_type="image/png")


def get_asset(request: Request) -> Response:
    """A file of static/."""
    return request.registry.signing_assets.response(request)


def client_of(visit: SigningVisit) -> access.Client:
    """The Client of a request."""
    request = visit.request
    return access.Client(peer_address(request), request.user_agent or "", visit.secret)


def _within(visit: SigningVisit, act: Callable[[], T]) -> T:
    request = visit.request
    with transaction(request, access.database(request.registry.forms, visit.token)):
        return act()


def _open(visit: SigningVisit) -> Row:
    row = _within(visit, lambda: service.open_signing(visit.token, client_of(visit)))
    if row is None:
        raise Problem("not_found")
    slots.share(visit.request, row["organization_id"])
    visit.speak({**row, "locale": row["language"]})
    return row


def _file(visit: SigningVisit, find: Callable[[str, access.Client], int]) -> Response:
    visit.count()
    held = functools.partial(slots.hold_download, visit.request, _open(visit)["organization_id"])
    return _within(visit, lambda: file_response(find(visit.token, client_of(visit)), held))
