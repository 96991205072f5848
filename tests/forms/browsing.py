"""A served site that can be killed and restarted, and actions of a person in a browser."""

import os
import re
import subprocess
import sys
import time

from playwright.sync_api import expect

from development.ports import free_port
from tests.http.processes import ROOT, wait_until_alive
from tests.waiting import SECONDS

SAVED = re.compile("^Saved")
expect.set_options(timeout=SECONDS * 1000)
BROWSERS = {
    "chromium": {"executable_path": "/usr/bin/chromium-headless-shell", "args": ["--no-sandbox"]},
    # Debian's, as it is, by WebDriver BiDi: without the channel Playwright asks for a Firefox of its own making.
    # There it cannot set what a page asks of the device, so Firefox is told at its start: dark, without motion.
    "firefox": {
        "executable_path": "/usr/bin/firefox-esr",
        "channel": "moz-firefox",
        # Playwright awaits the loading of a page, which one out of the cache for Back does not do.
        "firefox_user_prefs": {
            "ui.systemUsesDarkTheme": 1,
            "ui.prefersReducedMotion": 1,
            "browser.sessionhistory.max_total_viewers": 0,
        },
    },
}
# An answer to every question of the demo's interview on one way through it.
GIVEN = {
    "your_name": "Ada Lovelace",
    "work_email": "ada@example.com",
    "phone": "+44 20 7946 0000",
    "job_title": "Analyst",
    "company": "Engines Ltd",
    "website": "https://engines.example",
    "product_line": "license-server",
    "platforms": ["linux", "other"],
    "platforms__other": "Plan 9",
    "features": ["floating", "usage"],
    "license_type": "yearly",
    "seats": 1500,
    "evaluating_others": True,
    "competitors": "Difference Inc",
    "timeline": "this_quarter",
    "start_date": "2031-02-03",
    "compliance": ["none"],
    "fit": 2,
    "priorities": ["security", "integration", "price"],
    "satisfaction": {"setup": "good", "support": "poor"},
    "invoice_address": {"street": "12 St James's Square", "city": "London", "country": "GB"},
    "notes": "Steam.",
    "privacy": True,
}


def launch(playwright, name):
    """The system's Chromium or Firefox, started."""
    return getattr(playwright, name).launch(**BROWSERS[name], timeout=2000 * SECONDS)


class Site:
    """The application in a process of its own, on a port that stays the same over restarts.

    environ: its settings by environment variable; log: the file that takes everything it prints.
    """

    def __init__(self, environ, log):
        self.environ, self.log = environ, log
        self.port = free_port()
        self.url = f"http://127.0.0.1:{self.port}"
        self.process = None

    def __enter__(self):
        self.start()
        return self

    def __exit__(self, *_failure):
        self.kill()

    def start(self):
        command = [sys.executable, "-m", "tests.http.servers", str(self.port), "alone"]
        environ = {"PATH": os.environ["PATH"], "PYTHONPATH": str(ROOT), "PYTHONWARNINGS": "ignore", **self.environ}
        with self.log.open("a") as output:
            self.process = subprocess.Popen(command, env=environ, stdout=output, stderr=output, cwd=ROOT)
        try:
            wait_until_alive(self.process, self.port, self.log)
        except BaseException:
            self.kill()
            raise

    def kill(self):
        """End it as a crash would, in the middle of whatever it does."""
        self.process.kill()
        self.process.wait(SECONDS)

    def interview(self, invite):
        return f"{self.url}/forms/interview/{invite['token']}"

    def capture(self, template):
        return f"{self.url}/forms/capture/{template['public_slug']}"


def go_on(page, name="Continue"):
    """Press a button that leads to another page, and wait for that page."""
    with page.expect_event("load"):
        page.get_by_role("button", name=name, exact=True).click()


def retype(field, text):
    """Type over an email field's text; in Firefox `fill` would append."""
    field.press("Control+a")
    field.press_sequentially(text)


def review(page, address):
    """Answer the demo's public form up to its review."""
    page.goto(address)
    page.get_by_label("Embedded SDK").check()
    go_on(page)
    page.locator("#f-first_name").fill("Ada")
    page.locator("#f-email").fill("ada@example.com")
    page.get_by_role("checkbox").check()
    go_on(page)


def saved(page):
    expect(page.locator("#save-state")).to_have_text(SAVED)


def state(page, name):
    """Wait for a state of saving: saving, saved, offline, failed, waiting or kept."""
    expect(page.locator("#save-state")).to_have_attribute("data-state", name)


def eventually(page, read, expected):
    """Wait until `read()` answers what is expected; `page` is any open tab, which goes on meanwhile."""
    end = time.monotonic() + SECONDS
    while (found := read()) != expected:
        assert time.monotonic() < end, found
        page.wait_for_timeout(50)


def kept(page):
    return page.evaluate("Object.fromEntries(Object.entries(localStorage).map(([k, v]) => [k.split('/').pop(), v]))")
