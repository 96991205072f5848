"""Account pages. GET changes nothing, because mail scanners open every link."""

from collections.abc import Callable

from pyramid.response import Response

from pipeline.accounts import invitations, recovery, schemas
from pipeline.accounts.links import find
from pipeline.accounts.views import accept
from pipeline.database import Row
from pipeline.forms import account_pages
from pipeline.forms.account_pages import AccountVisit, sentences
from pipeline.forms.reading import Fields, read_fields
from pipeline.forms.visit import check_site, page_of
from pipeline.http.endpoints.way import transaction
from pipeline.http.quotas import limits
from pipeline.validation import Body, Invalid, Values, deserialize
from pipeline.validation.errors import Problem

account_page = page_of(AccountVisit)
# The link's own page explains these.
GONE = ("link_used", "link_expired")


@account_page
def get_activation(visit: AccountVisit) -> Response:
    """Shows an invitation in any state."""
    limits.count_request(visit.request, limits.ACTIVATION)
    return account_pages.activation(visit, _link(visit, "activate"))


@account_page
def post_activation(visit: AccountVisit) -> Response:
    """Accepts or declines an invitation."""
    fields = _read(visit, limits.ACTIVATION)
    link = _link(visit, "activate")

    def act() -> None:
        if fields.get("_go") == "decline":
            invitations.decline(visit.token)
            return
        schema = schemas.Activation() if link["password_hash"] else schemas.NewAccount()
        accept(visit.request, **_given(schema, fields, token=visit.token))

    return _act(visit, act, lambda errors: account_pages.activation(visit, link, fields.get("name"), errors), link)


@account_page
def get_reset(visit: AccountVisit) -> Response:
    """Shows the reset form."""
    limits.count_request(visit.request, limits.RESET)
    return account_pages.reset(visit, _link(visit, "reset"))


@account_page
def post_reset(visit: AccountVisit) -> Response:
    """Sets the password."""
    fields = _read(visit, limits.RESET)
    link = _link(visit, "reset")
    return _act(
        visit,
        lambda: recovery.reset(**_given(schemas.Reset(), fields, token=visit.token)),
        lambda errors: account_pages.reset(visit, link, errors),
        link,
    )


@account_page
def get_forgot(visit: AccountVisit) -> Response:
    """Shows the form or, with `sent`, the confirmation."""
    limits.count_request(visit.request, limits.FORGOT)
    return visit.show("forgot_sent") if "sent" in visit.request.GET else account_pages.forgot(visit)


@account_page
def post_forgot(visit: AccountVisit) -> Response:
    """Sends a reset link if an account exists; the response never differs."""
    fields = _read(visit, limits.FORGOT)
    return _act(
        visit,
        lambda: recovery.forgot(**_given(schemas.ForgotPassword(), fields)),
        lambda errors: account_pages.forgot(visit, fields.get("email"), errors),
        sent="1",
    )


def _act(
    visit: AccountVisit,
    act: Callable[[], object],
    show_again: Callable[[dict[str, str]], Response],
    link: Row | None = None,
    **onward: str,
) -> Response:
    """Runs `act` and redirects; `show_again(errors)` returns the page for field errors."""
    try:
        with transaction(visit.request, visit.request.registry.app):
            act()
    except (Problem, Invalid) as problem:
        if problem.code not in GONE:
            return show_again(sentences(problem, visit.speak(link) if link else visit.texts))
    return visit.redirect(**onward)


def _link(visit: AccountVisit, kind: str) -> Row:
    with transaction(visit.request, visit.request.registry.app):
        return find(visit.token, kind)


def _read(visit: AccountVisit, bucket: limits.Bucket) -> Fields:
    check_site(visit.request)
    limits.count_request(visit.request, bucket)
    return read_fields(visit.request)


def _given(schema: Body, fields: Fields, **known: str) -> Values:
    names = [node.name for node in schema.children if node.name not in known]
    typed = {name: fields.get(name).replace("\x00", "") for name in names}
    return deserialize(schema, {**typed, **known})
