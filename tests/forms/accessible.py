"""Measurements of a page's accessibility: rules of axe-core, size of targets, sideways scrolling."""

import pytest
from axe_playwright_python.base import AXE_SCRIPT

from pipeline.forms.translations import CATALOGUES

STILL = {"reduced_motion": "reduce"}  # a colour on its way to another one has no contrast that counts
PHONE = {
    "viewport": {"width": 320, "height": 640},
    "has_touch": True,
    "is_mobile": True,
    "device_scale_factor": 2,
    **STILL,
}
WIDTHS = {"desktop": STILL, "phone": PHONE}
# What the device is set to, and the organization's branding.
LOOKS = {
    "light": ("light", {}),
    "dark": ("dark", {}),
    "a pale brand": ("dark", {"primary_color": "#f2c14e", "background_color": "#fff8e7", "text_color": "#3d2c1e"}),
    "a dark brand": ("light", {"primary_color": "#3b5bdb", "background_color": "#10182b", "text_color": "#b9c4dd"}),
    "a loud brand": ("dark", {"primary_color": "#d6006e", "background_color": "#ffe600", "text_color": "#4a2b00"}),
}
BRANDS = [name for name, (_, branding) in LOOKS.items() if branding]
# Each page once, where `faults` measures it in a second width and look; by `make browsers` in every look.
in_every_look = pytest.mark.parametrize(
    ("width", "look"),
    [
        ("phone", "dark"),
        *(
            pytest.param(width, look, marks=pytest.mark.long)
            for width, look in [("phone", "light"), ("desktop", BRANDS[0]), ("phone", BRANDS[1]), ("phone", BRANDS[2])]
        ),
    ],
    indirect=["look"],
)
# The longest words and the right-to-left script; by `make browsers` every language.
in_every_language = pytest.mark.parametrize(
    "language",
    [name if name in ("ar", "de") else pytest.param(name, marks=pytest.mark.long) for name in sorted(CATALOGUES)],
)
# The target of a radio button or a checkbox is its label. A link in running text may be as high as its line.
SMALL_TARGETS = """() => [...document.querySelectorAll("a, button, input, select, textarea")]
  .filter((target) => target.type !== "hidden" && target.checkVisibility())
  .filter((target) => !target.closest(".apart, .skip, .text, p:not(.buttons)"))
  .map((target) => (["radio", "checkbox"].includes(target.type) ? target.labels[0] : target))
  .map((target) => [target.outerHTML.slice(0, 80), target.getBoundingClientRect()])
  .filter(([, { width, height }]) => width < 24 || height < 24)
  .map(([html, { width, height }]) => `${width} x ${height} ${html}`)"""
VIOLATIONS = """async (off) => (await axe.run({
  resultTypes: ["violations"],
  rules: Object.fromEntries(off.map((rule) => [rule, { enabled: false }])),
})).violations
  .map(({ id, nodes }) => [id, nodes.map(({ html }) => html.slice(0, 120))])"""
SIDEWAYS = "document.documentElement.scrollWidth - document.documentElement.clientWidth"


def violations(page, off=()):
    """What axe-core finds, without some of its rules: rule and elements."""
    if page.evaluate("typeof axe") == "undefined":
        page.evaluate(AXE_SCRIPT)
    return page.evaluate(VIOLATIONS, list(off))


def faults(page):
    """All that is not as it should be; of a page on a phone also on a desktop of the opposite colours."""
    found = measured(page)
    if page.viewport_size == PHONE["viewport"]:
        dark = page.evaluate("matchMedia('(prefers-color-scheme: dark)').matches")
        page.set_viewport_size({"width": 1280, "height": 720})
        page.emulate_media(color_scheme="light" if dark else "dark")
        found |= {f"{name} on a desktop": value for name, value in measured(page).items()}
        page.set_viewport_size(PHONE["viewport"])
        page.emulate_media(color_scheme="dark" if dark else "light")
    return found


def measured(page, off=()):
    """{what is measured: where it is not as it should be}; off: rules of axe-core."""
    found = {
        "violations": violations(page, off),
        "small targets": page.evaluate(SMALL_TARGETS),
        "sideways": page.evaluate(SIDEWAYS),
    }
    return {name: value for name, value in found.items() if value}
