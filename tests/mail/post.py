"""The emails of an organization, delivered through a real mail server, and the links in them."""

import re

from tests.mail.delivery import Worker, sending_by

LINK = re.compile(r"https://pipeline\.example(/forms/(?:activate|reset)/([0-9a-f]{64})\S*)")


class Post:
    """Delivers when it is asked to. server: a MailServer; jobs: the pool of the worker's login."""

    def __init__(self, jobs, settings, server):
        self.jobs, self.server = jobs, server
        self.settings = sending_by(server, settings)

    def deliver(self, organization):
        """The messages that are sent now."""
        before = len(self.server.accepted)
        assert Worker(self.jobs, self.settings, organization.id).run() == []
        return self.server.messages[before:]

    def path(self, organization):
        """The path of the page that the link in the one email sent now leads to."""
        return links(*self.deliver(organization))[0]

    def token(self, organization):
        """The token of the link in the one email sent now."""
        return links(*self.deliver(organization))[1]


def contents(message):
    return [message.get_body([kind]).get_content() for kind in ("plain", "html")]


def links(message):
    """(path, token) of a message's link, which is the same in text and HTML."""
    found = {LINK.search(content).groups() for content in contents(message)}
    ((path, token),) = {(path.rstrip('"'), token) for path, token in found}
    return path, token
