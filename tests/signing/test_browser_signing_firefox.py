"""The signer's page in Firefox, with and without a script, on a dark device."""

import pytest

from tests.forms.accessible import violations
from tests.forms.browsing import go_on, launch
from tests.signing import test_browser_signing as journeys
from tests.signing.test_browser_signing import address as address
from tests.signing.test_browser_signing import request_made as request_made
from tests.signing.test_browser_signing import signed as signed
from tests.signing.test_browser_signing import statuses as statuses


@pytest.fixture(scope="module")
def browser(playwright):
    """The system's Firefox, whatever --browser says."""
    with launch(playwright, "firefox") as browser:
        yield browser


@pytest.mark.long
def test_a_drawing_signs_in_firefox(open_context, address, signed):
    page = open_context().new_page()
    page.goto(address)
    assert violations(page) == []
    journeys.draw(page)
    page.get_by_role("checkbox").check()
    go_on(page, "Sign the contract")
    journeys.in_state(page, "signed")
    assert signed() == ([("drawn", "Signer 0")], 1)


@pytest.mark.long
def test_without_a_script_a_typed_name_signs_in_firefox(open_context, address, statuses, signed):
    journeys.test_without_a_script_a_typed_name_signs(open_context, address, statuses, signed)
