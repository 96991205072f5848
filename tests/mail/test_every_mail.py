"""Each kind of email as it arrives: its recorded text, and its look in readers."""

from pathlib import Path

import pytest

from tests.forms.accessible import WIDTHS, measured
from tests.forms.sites import browser as browser
from tests.mail.story import Story, recorded
from tests.signing.conftest import contract as contract
from tests.signing.conftest import made as made
from tests.signing.conftest import new_contract as new_contract
from tests.signing.conftest import new_template as new_template
from tests.signing.conftest import requested as requested
from tests.signing.conftest import signing as signing
from tests.signing.conftest import template as template

FOLDER = Path(__file__).with_name("recorded")
# An email is a part of its reader's page, which has the landmarks.
PAGES = ("landmark-one-main", "region")
LOOKS = [(width, scheme) for width in WIDTHS for scheme in ("light", "dark")]


@pytest.fixture
def mails(organization, worker, server, signing, requested):
    """mails(language): {kind: message}."""
    return lambda language: dict(Story(organization, worker, server, signing, requested, language).tell())


def test_each_kind_of_email_arrives_as_recorded(mails, request):
    texts = {f"{kind}.txt": recorded(message) for kind, message in mails("en").items()}
    if request.config.getoption("record_mails"):
        for name, text in texts.items():
            (FOLDER / name).write_text(text)
    assert texts == {path.name: path.read_text() for path in FOLDER.iterdir()}


@pytest.mark.long
@pytest.mark.parametrize("language", ["en", "de", "ar"])
def test_each_kind_of_email_is_for_everyone_in_every_reader(language, mails, browser, request, tmp_path):
    folder = Path(request.config.getoption("mail_pictures") or tmp_path)
    found = {}
    messages = mails(language)
    for width, scheme in LOOKS:
        with browser.new_context(color_scheme=scheme, **WIDTHS[width]) as context:
            page = context.new_page()
            for kind, message in messages.items():
                page.set_content(message.get_body(["html"]).get_content())
                name = f"{kind}-{language}-{width}-{scheme}"
                page.screenshot(path=folder / f"{name}.png", full_page=True)
                found[name] = measured(page, off=PAGES)
    assert {name: faults for name, faults in found.items() if faults} == {}
