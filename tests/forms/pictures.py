"""Makes the pictures of the README, three of forms and one of a contract: `make pictures`."""

import io
import json
import subprocess
import tempfile
from pathlib import Path

from PIL import Image
from playwright.sync_api import sync_playwright
from webtest import TestApp

from development.postgres import EmbeddedPostgres
from pipeline.accounts.passwords import hash_password
from pipeline.database import migrations
from pipeline.documents.pdf import render as render_pdf
from pipeline.http.front.application import make_app
from pipeline.process.settings import load
from tests.documents.support import licence
from tests.forms.browsing import ROOT, Site, launch, saved
from tests.homes import Superuser
from tests.support import Organization

IMAGES = ROOT / "docs" / "images"
TEMPLATE = ROOT / "development" / "data" / "qualification.json"


def main():
    """Start everything, answer half an interview, and write the pictures."""
    with tempfile.TemporaryDirectory() as folder, EmbeddedPostgres(Path(folder) / "postgres", durable=False) as server:
        migrations.upgrade(server.url("postgres", "postgres"))
        environ = {
            "DATABASE_URL": server.url("pipeline_app", "postgres"),
            "DATABASE_FORMS_URL": server.url("pipeline_forms", "postgres"),
            "JWT_SECRET": "only for the minute in which the pictures are made",
        }
        invite = make_invite(make_app(load({}, environ)), server.url("postgres", "postgres"))
        with Site(environ, Path(folder) / "log") as site, sync_playwright() as playwright:
            browser = launch(playwright, "chromium")
            desktop = browser.new_page(viewport={"width": 1000, "height": 900})
            take(desktop, f"{site.interview(invite)}?step=needs", answer_needs, "form-desktop.png")
            phone = browser.new_context(**{**playwright.devices["iPhone 13 Mini"], "device_scale_factor": 2}).new_page()
            take(phone, f"{site.interview(invite)}?step=plans", answer_plans, "form-phone.png")
            dark = browser.new_page(viewport={"width": 1000, "height": 900}, color_scheme="dark")
            take(dark, f"{site.interview(invite)}?step=plans", answer_compliance, "form-dark.png")
            browser.close()
    print_contract("contract.png")


def make_invite(wsgi, owner_url):
    """An invite of Acme Licensing to the demo's interview."""
    with Superuser.connected(owner_url) as owner:
        password = hash_password("unused here")
        organization = Organization(TestApp(wsgi), owner, "acme", password, wsgi.registry.tokens)
        owner.execute(
            "update app.organizations set name = 'Acme Licensing', branding = '{\"primary_color\": \"#0b5fff\"}'"
        )
        template = organization.template(**json.loads(TEMPLATE.read_text("utf-8")))
        invite = organization.invite(template, recipient_name="Hélène Dubois")
    wsgi.registry.app.close()
    wsgi.registry.forms.close()
    return invite


def take(page, address, answer, name):
    """Open a page, answer it, and take its picture once everything is saved."""
    page.goto(address)
    answer(page)
    saved(page)
    page.evaluate("document.activeElement.blur(); scrollTo(0, 0)")
    IMAGES.mkdir(parents=True, exist_ok=True)
    keep(page.screenshot(), name)


def print_contract(name):
    """Take the picture of the first page of the demo's contract."""
    command = ["pdftoppm", "-png", "-r", "100", "-singlefile", "-"]
    keep(subprocess.run(command, input=render_pdf(licence()), capture_output=True, check=True).stdout, name)


def keep(picture, name):
    """Write a PNG's bytes to the images, in as few colours as do: a README is read by many."""
    with Image.open(io.BytesIO(picture)) as image:
        image.convert("RGB").quantize(128, Image.Quantize.MAXCOVERAGE).save(IMAGES / name, optimize=True)


def answer_needs(page):
    page.get_by_label("License Server, for your own data centre").check()
    page.get_by_label("Linux").check()
    page.get_by_label("macOS").check()
    page.locator("#f-seats").fill("120")


def answer_plans(page):
    page.get_by_label("Yes", exact=True).check()
    page.locator("#f-competitors").fill("Contoso License Manager")
    page.get_by_label("Within 30 days").check()


def answer_compliance(page):
    page.get_by_label("ISO 27001").check()


if __name__ == "__main__":
    main()
