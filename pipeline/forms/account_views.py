"""The pages of accounts: an invitation, a new password, and asking for one.

A GET changes nothing: scanners of mail open every link.
"""

import contextlib
import functools

from pipeline import limits
from pipeline.accounts import invitation_views, invitations, recovery, schemas
from pipeline.accounts.links import find
from pipeline.forms import account_pages
from pipeline.forms.account_errors import sentences
from pipeline.forms.reading import read_fields
from pipeline.forms.visit import check_site, page
from pipeline.problems import Problem
from pipeline.schema import deserialize

account_page = functools.partial(page, kind=account_pages.AccountVisit)
# The page of the link says what has become of it.
GONE = ("link_used", "link_expired")


@account_page
def get_activation(visit):
    """An invitation, whatever has become of it."""
    limits.spend(visit.request, limits.ACTIVATION)
    return account_pages.activation(visit, _link(visit, "activate"))


@account_page
def post_activation(visit):
    """Accept or decline an invitation; the page then says what has become of it."""
    fields = _read(visit, limits.ACTIVATION)
    link = _link(visit, "activate")
    try:
        if fields.get("_go") == "decline":
            with _transaction(visit):
                invitations.decline(_token(visit))
        else:
            schema = schemas.Activation() if link["password_hash"] else schemas.NewAccount()
            given = _given(schema, fields, token=_token(visit))
            with _transaction(visit):
                invitation_views.accept(visit.request, **given)
    except Problem as problem:
        if problem.code in GONE:
            return visit.redirect()
        return account_pages.activation(visit, link, fields.get("name"), sentences(problem, visit.speak(link)))
    return visit.redirect()


@account_page
def get_reset(visit):
    """The choice of a new password."""
    limits.spend(visit.request, limits.RESET)
    return account_pages.reset(visit, _link(visit, "reset"))


@account_page
def post_reset(visit):
    """Keep the new password."""
    fields = _read(visit, limits.RESET)
    link = _link(visit, "reset")
    try:
        given = _given(schemas.Reset(), fields, token=_token(visit))
        with _transaction(visit):
            recovery.reset(**given)
    except Problem as problem:
        if problem.code in GONE:
            return visit.redirect()
        return account_pages.reset(visit, link, sentences(problem, visit.speak(link)))
    return visit.redirect()


@account_page
def get_forgot(visit):
    """Ask for a link; with `sent` in the address, what follows."""
    limits.spend(visit.request, limits.FORGOT)
    return account_pages.forgotten(visit) if "sent" in visit.request.GET else account_pages.forgot(visit)


@account_page
def post_forgot(visit):
    """Send a link to whoever has an account; the answer is the same for everybody."""
    fields = _read(visit, limits.FORGOT)
    try:
        given = _given(schemas.Forgotten(), fields)
        with _transaction(visit):
            recovery.forgot(**given)
    except Problem as problem:
        return account_pages.forgot(visit, fields.get("email"), sentences(problem, visit.texts)["email"])
    return visit.redirect(sent="1")


def _token(visit):
    return visit.request.matchdict["token"]


def _link(visit, kind):
    with _transaction(visit):
        return find(_token(visit), kind)


@contextlib.contextmanager
def _transaction(visit):
    """A transaction on the login of people with accounts, ended at the end of the block: a page follows."""
    transaction, done = visit.request.transaction, False
    transaction.begin(visit.request.registry.app)
    try:
        yield
        done = True
    finally:
        transaction.end(commit=done)


def _read(visit, bucket):
    """The Fields of a form from one of our own pages, counted."""
    check_site(visit.request)
    limits.spend(visit.request, bucket)
    return read_fields(visit.request)


def _given(schema, fields, **known):
    """The body (dict) that the API would read from these fields."""
    names = [node.name for node in schema.children if node.name not in known]
    typed = {name: fields.get(name).replace("\x00", "") for name in names}
    return deserialize(schema, {**typed, **known})
