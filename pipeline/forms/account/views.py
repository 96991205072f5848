"""Account pages."""

import functools
from collections.abc import Callable

from pyramid.response import Response

from pipeline.accounts import invitations, recovery, schemas
from pipeline.accounts.links import find
from pipeline.accounts.views import accept
from pipeline.api.endpoint import NONE
from pipeline.api.html_pages import HtmlPage, Shown
from pipeline.database import APP, Row, savepoint
from pipeline.forms.account import pages
from pipeline.forms.account.pages import sentences
from pipeline.forms.page.visit import Visit, visit_account
from pipeline.forms.questions.reading import Fields
from pipeline.http.fairness import limits
from pipeline.validation import Body, Invalid, Values
from pipeline.validation.errors import Problem

activation = HtmlPage("/forms/activate/{token}", visit_account)
resetting = HtmlPage("/forms/reset/{token}", visit_account)
forgotten = HtmlPage("/forms/forgot", visit_account)
# The link's own page explains these.
GONE = ("link_used", "link_expired")


@activation.on("GET", transaction=APP, limit=limits.ACTIVATION)
def get_activation(visit: Visit) -> Shown:
    """Shows an invitation in any state."""
    return functools.partial(pages.activation, visit, find(visit.token, "activate"))


@activation.on("POST", transaction=APP, form=True, limit=limits.ACTIVATION)
def post_activation(visit: Visit) -> Shown:
    """Accepts or declines an invitation."""
    fields, link = visit.fields, find(visit.token, "activate")

    def act() -> None:
        if fields.get("_go") == "decline":
            invitations.decline(visit.token)
            return
        schema = schemas.Activation() if link["password_hash"] else schemas.NewAccount()
        accept(visit.request, **_typed_values(schema, fields, token=visit.token))

    return _act(visit, act, lambda errors: pages.activation(visit, link, fields.get("name"), errors), link)


@forgotten.on("GET", transaction=NONE, limit=limits.FORGOT)
def get_forgot(visit: Visit) -> Response:
    """Shows the form or, with `sent`, the confirmation."""
    return pages.show(visit, "forgot_sent") if "sent" in visit.request.GET else pages.forgot(visit)


@forgotten.on("POST", transaction=APP, form=True, limit=limits.FORGOT)
def post_forgot(visit: Visit) -> Shown:
    """Sends a reset link if an account exists; the response never differs."""
    return _act(
        visit,
        lambda: recovery.forgot(**_typed_values(schemas.ForgotPassword(), visit.fields)),
        lambda errors: pages.forgot(visit, visit.fields.get("email"), errors),
        sent="1",
    )


@resetting.on("GET", transaction=APP, limit=limits.RESET)
def get_reset(visit: Visit) -> Shown:
    """Shows the reset form."""
    return functools.partial(pages.reset, visit, find(visit.token, "reset"))


@resetting.on("POST", transaction=APP, form=True, limit=limits.RESET)
def post_reset(visit: Visit) -> Shown:
    """Sets the password."""
    link = find(visit.token, "reset")
    return _act(
        visit,
        lambda: recovery.reset(**_typed_values(schemas.Reset(), visit.fields, token=visit.token)),
        lambda errors: pages.reset(visit, link, errors),
        link,
    )


def _act(
    visit: Visit,
    act: Callable[[], object],
    show_again: Callable[[dict[str, str]], Response],
    link: Row | None = None,
    **onward: str,
) -> Shown:
    """Runs `act` and redirects; `show_again(errors)` returns the page for field errors."""
    try:
        with savepoint():
            act()
    except (Problem, Invalid) as problem:
        if problem.code not in GONE:
            texts = visit.speak(link) if link else visit.texts
            return functools.partial(show_again, sentences(problem, texts))
    return visit.redirect(**onward)


def _typed_values(schema: Body, fields: Fields, **known: str) -> Values:
    names = [node.name for node in schema.children if node.name not in known]
    typed = {name: fields.get(name).replace("\x00", "") for name in names}
    return schema.read({**typed, **known})
