"""The check of a file in a browser, with and without a script, on a desktop and on a phone."""

import pytest
from playwright.sync_api import expect

from tests.forms.accessible import WIDTHS, faults
from tests.forms.browsing import go_on
from tests.signing.envelopes import changed, content, sealed, shown


@pytest.mark.parametrize(
    ("width", "scripts"), [("desktop", True), pytest.param("phone", False, marks=pytest.mark.long)]
)
def test_a_person_learns_whether_a_file_is_genuine_changed_or_foreign(wsgi, site, open_context, width, scripts):
    page = open_context(**WIDTHS[width], java_script_enabled=scripts).new_page()
    page.goto(f"{site.url}/verify")
    for state, file in (("genuine", sealed()), ("changed", changed(sealed())), ("foreign", shown(content()))):
        page.locator("#f-file").set_input_files({"name": "a.pdf", "mimeType": "application/pdf", "buffer": file})
        go_on(page, "Check the file")
        expect(page.locator("body")).to_have_attribute("data-state", state)
        if scripts:  # axe-core is one
            assert faults(page) == {}
