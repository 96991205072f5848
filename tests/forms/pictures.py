"""Makes the pictures of the README, three of forms and one of a contract: `make pictures`."""

import io
import subprocess

import pytest
from PIL import Image

from pipeline.documents.pdf import render as render_pdf
from tests.documents.support import licence
from tests.forms.browsing import saved
from tests.http.processes import ROOT

WINDOW = {"viewport": {"width": 1000, "height": 900}}
ACME = "update app.organizations set name = 'Acme Licensing', branding = %s where id = %s"


@pytest.fixture
def address(site, organization, qualification):
    """The page of Acme Licensing's invite to the demo's interview."""
    organization.owner.execute(ACME, ['{"primary_color": "#0b5fff"}', organization.id])
    return site.interview(organization.invite(qualification, recipient_name="Hélène Dubois"))


def take(page, name):
    """Take a page's picture once everything is saved."""
    saved(page)
    page.evaluate("document.activeElement.blur(); scrollTo(0, 0)")
    keep(page.screenshot(), name)


def keep(picture, name):
    """Write a PNG's bytes to the images, in as few colours as do: a README is read by many."""
    with Image.open(io.BytesIO(picture)) as image:
        few = image.convert("RGB").quantize(128, Image.Quantize.MAXCOVERAGE)
        few.save(ROOT / "docs" / "images" / name, optimize=True)


def test_the_form_on_a_desktop_on_a_phone_and_on_a_dark_device(playwright, browser, address):
    desktop = browser.new_page(**WINDOW)
    desktop.goto(f"{address}?step=needs")
    for label in ("License Server, for your own data centre", "Linux", "macOS"):
        desktop.get_by_label(label).check()
    desktop.locator("#f-seats").fill("120")
    take(desktop, "form-desktop.png")
    phone = browser.new_page(**{**playwright.devices["iPhone 13 Mini"], "device_scale_factor": 2})
    phone.goto(f"{address}?step=plans")
    phone.get_by_label("Yes", exact=True).check()
    phone.locator("#f-competitors").fill("Contoso License Manager")
    phone.get_by_label("Within 30 days").check()
    take(phone, "form-phone.png")
    dark = browser.new_page(**WINDOW, color_scheme="dark")
    dark.goto(f"{address}?step=plans")
    dark.get_by_label("ISO 27001").check()
    take(dark, "form-dark.png")


def test_the_first_page_of_the_demos_contract():
    command = ["pdftoppm", "-png", "-r", "100", "-singlefile", "-"]
    keep(subprocess.run(command, input=render_pdf(licence()), capture_output=True, check=True).stdout, "contract.png")
