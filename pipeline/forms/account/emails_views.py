"""The page that turns off a user's emails of a kind, opened by a signed link or called by a mail program."""

import functools

from pipeline.accounts.notifications.service import get_emails, set_emails
from pipeline.api.html_pages import HtmlPage, Shown
from pipeline.database import APP
from pipeline.forms.page.form import open_emails
from pipeline.forms.page.visit import Visit, visit_by
from pipeline.http.signed_links import KINDS, read_emails

visit_link = visit_by(read_emails, "link_unknown")
page = HtmlPage("/forms/emails/{signed}", visit_link)


@page.on("GET", transaction=APP)
def get_emails_page(visit: Visit) -> Shown:
    """The page with the button; a GET changes nothing, because mail scanners open links."""
    visit.speak(open_emails(visit.signed))
    return functools.partial(
        visit.render, "state.html", state="emails_off", go="stop", button="emails_off.stop", ask=visit.url()
    )


@page.on("POST", transaction=APP)
def post_emails_page(visit: Visit) -> Shown:
    """Turns the emails off, from the page or a mail program (RFC 8058)."""
    visit.speak(open_emails(visit.signed))
    user_id = visit.signed.user_id
    set_emails(user_id, **{**get_emails(user_id), KINDS[visit.signed.kind - 1]: False})
    return functools.partial(visit.render, "state.html", state="emails_stopped")
