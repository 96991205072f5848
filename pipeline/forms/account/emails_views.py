"""The page that turns off a user's emails of a kind, opened by a signed link or called by a mail program."""

import functools

from pipeline.accounts.notifications.service import get_emails, set_emails
from pipeline.api.html_pages import HtmlPage, Shown
from pipeline.database import APP, Database
from pipeline.forms.account.pages import AccountVisit
from pipeline.forms.page.form import open_emails
from pipeline.forms.page.visit import STATES, Visit
from pipeline.http.signed_links import KINDS, EmailsLink, read_emails


class EmailsVisit(AccountVisit):
    """A request by a signed link."""

    states = {**STATES, "link_expired": "link_unknown"}
    count = Visit.count

    @functools.cached_property
    def signed(self) -> EmailsLink:
        """The link; raises 404 or 410."""
        return read_emails(self.request.registry.pipeline, self.request.matchdict["signed"])

    @property
    def pool(self) -> Database:  # its organization's
        return self.request.registry.app.of(self.signed.organization_id)


page = HtmlPage("/forms/emails/{signed}", EmailsVisit)


@page.on("GET", transaction=APP)
def get_emails_page(visit: EmailsVisit) -> Shown:
    """The page with the button; a GET changes nothing, because mail scanners open links."""
    visit.speak(open_emails(visit.signed))
    return functools.partial(
        visit.render, "state.html", state="emails_off", go="stop", button="emails_off.stop", ask=visit.url()
    )


@page.on("POST", transaction=APP)
def post_emails_page(visit: EmailsVisit) -> Shown:
    """Turns the emails off, from the page or a mail program (RFC 8058)."""
    visit.speak(open_emails(visit.signed))
    user_id = visit.signed.user_id
    set_emails(user_id, **{**get_emails(user_id), KINDS[visit.signed.kind - 1]: False})
    return functools.partial(visit.render, "state.html", state="emails_stopped")
