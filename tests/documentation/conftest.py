"""A browser whose requests the application answers and records."""

import pytest
from webob import Request

HOST = "https://pipeline.example"


class Reader:
    """A page of a browser; `foreign` are the addresses it wanted of others, `complaints` what it reported."""

    def __init__(self, context, wsgi):
        self.wsgi, self.foreign, self.complaints = wsgi, [], []
        context.route("**/*", self.answer)
        context.set_default_timeout(60_000)  # the renderer is large, and other tests have the cores too
        self.page = context.new_page()
        self.page.on("console", lambda message: message.type == "error" and self.complaints.append(message.text))
        self.page.on("pageerror", lambda error: self.complaints.append(str(error)))

    def answer(self, route):
        """Let the application answer a request of the page; another server's are noted and go nowhere."""
        wanted = route.request
        if not wanted.url.startswith(HOST):
            self.foreign.append(wanted.url)
            return route.abort()
        sent = Request.blank(
            wanted.url, method=wanted.method, headers=wanted.all_headers(), body=wanted.post_data_buffer or b""
        )
        got = sent.get_response(self.wsgi)
        got.decode_content()  # what is given to a browser in this way is not unpacked there
        return route.fulfill(status=got.status_code, headers=dict(got.headers), body=got.body)

    def open(self, path):
        self.page.goto(HOST + path)
        return self.page


@pytest.fixture
def reader(browser, wsgi):
    """reader(**options): a Reader with a context of its own, of those options."""
    contexts = []

    def make(**options):
        contexts.append(browser.new_context(**options))
        return Reader(contexts[-1], wsgi)

    yield make
    for context in contexts:
        context.close()
