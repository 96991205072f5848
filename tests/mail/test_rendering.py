"""The look of an email: readable colours, escaped texts, times in the organization's zone."""

import re
from datetime import datetime

import pytest
from babel import Locale
from bs4 import BeautifulSoup
from hypothesis import given
from hypothesis import strategies as st

from pipeline.forms.translations import CATALOGUES
from pipeline.interviews.tasks import invite_email
from pipeline.mail.languages import WORDS
from pipeline.mail.rendering import brand
from pipeline.validation.colors import contrast

INVITE = {
    "origin": "invite",
    "organization": "Acme & Söhne",
    "interview": "Software evaluation",
    "recipient_name": "Pat Prospect",
    "rep_name": "Rita Rep",
    "expires_local": datetime(2026, 3, 6, 14, 30),
    "time_zone": "America/New_York",
    "language": "en",
    "personal_note": None,
    "branding": {},
    "logo": None,
    "token": "0" * 64,
}
LINK = f"https://sales.example/forms/interview/{'0' * 64}"
COLORS = st.integers(0, 0xFFFFFF).map("#{:06x}".format)
ANYTHING = st.text() | st.none() | st.integers() | st.dictionaries(st.text(), st.text())
BRANDING = dict.fromkeys(("primary_color", "background_color", "text_color", "logo_url"), ANYTHING)
ATTACK = "<script>alert(1)</script>\"'><img src=x onerror=alert(1)>{{ 7 * 7 }}{% raw %}</div>"


def read(html):
    """(tags, links, text) of an HTML page."""
    page = BeautifulSoup(html, "html.parser")
    elements = page.find_all(True)
    links = [element[name] for element in elements for name in ("href", "src") if element.has_attr(name)]
    return [element.name for element in elements], links, page.get_text()


def mail(**changes):
    """(subject, text, html) of an invite's email."""
    return invite_email({**INVITE, **changes}, "https://sales.example")


@given(COLORS, COLORS, COLORS)
def test_every_text_can_be_read_whatever_the_colours(primary, background, text):
    chosen = brand({"primary_color": primary, "background_color": background, "text_color": text})
    for look in (chosen, brand({"primary_color": primary})["dark"]):
        for ink, paper in (("text", "background"), ("on_primary", "primary"), ("link", "background")):
            assert contrast(look[ink], look[paper]) >= 4.5


def test_an_email_is_dark_on_a_dark_device_unless_its_branding_chooses_background_or_text():
    assert "prefers-color-scheme: dark" in mail(branding={"primary_color": "#0b5fff"})[2]
    assert "dark" not in mail(branding={"background_color": "#ffffff"})[2]


@given(st.fixed_dictionaries({}, optional=BRANDING))
def test_branding_that_is_no_colour_or_link_is_left_out(branding):
    assert brand(branding) == brand({})


def test_a_logo_stands_with_the_organizations_name_and_the_brandings_before_the_uploaded_one():
    assert '<img src="https://sales.example/forms/logo/5eed"' in mail(logo="5eed")[2]
    html = mail(logo="5eed", branding={"logo_url": "https://acme.example/logo.png"})[2]
    assert '<img src="https://acme.example/logo.png" alt="Acme &amp; Söhne"' in html
    assert "5eed" not in html


@pytest.mark.parametrize("field", ["organization", "interview", "recipient_name", "rep_name", "personal_note"])
def test_words_of_people_are_text_and_never_markup(field):
    _, text, html = mail(**{field: ATTACK})
    tags, links, words = read(html)
    assert (tags, links) == read(mail(**{field: "harmless"})[2])[:2]
    assert links == [LINK, LINK]
    assert "{{ 7 * 7 }}" in words
    assert ATTACK in text


def test_a_note_keeps_its_lines_and_stands_above_the_text():
    _, text, html = mail(personal_note="Dear Pat,\nsee below.\n\nRita")
    assert "Dear Pat,<br>see below.<br><br>Rita" in html
    assert text.startswith("Dear Pat,\nsee below.\n\nRita\n")
    assert html.index("see below.") < html.index("Software evaluation</h1>")


def test_the_text_names_the_prospect_and_the_rep_where_they_are_known():
    known, unknown = mail()[1], mail(recipient_name=None, rep_name=None)[1]
    assert "Hello Pat Prospect," in known
    assert "Rita Rep at Acme & Söhne asks you" in known
    assert "Hello,\n" in unknown
    assert "\nAcme & Söhne asks you" in unknown


@pytest.mark.parametrize(
    ("language", "expires"),
    [
        ("en", "until Friday, March 6, 2026, 2:30\u202fPM (America/New York)"),
        ("de-AT", "bis Freitag, 6. März 2026, 14:30 (America/New York)"),
        ("ar", "حتى الجمعة، 6 مارس 2026, 2:30 م (America/New York)"),
        ("pl", "until Friday, March 6, 2026, 2:30\u202fPM (America/New York)"),
    ],
)
def test_the_expiry_is_told_in_the_organizations_time_zone_as_the_language_writes_it(language, expires):
    for part in mail(language=language)[1:]:
        assert expires in part


def places(text):
    """The names in braces that are filled in."""
    return set(re.findall(r"{\w+}", text))


@pytest.mark.parametrize("language", CATALOGUES)
def test_every_language_of_the_pages_has_the_same_texts_with_the_same_places_and_counts_leads(language):
    assert WORDS.keys() == CATALOGUES.keys()
    english, own = ({**words, "more_leads": {}} for words in (WORDS["en"], WORDS[language]))
    assert {kind: list(words) for kind, words in own.items()} == {kind: list(words) for kind, words in english.items()}
    for kind, words in english.items():
        assert [places(own[kind][key]) for key in words] == [places(text) for text in words.values()], kind
    needed = {Locale(language).plural_form(count) for count in range(1, 1000)}
    assert WORDS[language]["more_leads"].keys() == needed | {"other"}
