"""Colours, logo, static files and languages of the pages."""

import gzip
import hashlib
import json
import re
from pathlib import Path

import pytest
from webob import Request

from pipeline import forms
from pipeline.forms.brand import sheet_name, stylesheet
from pipeline.forms.texts import CATALOGUES, FOLDER, texts_for
from pipeline.validation.colors import BLACK, WHITE, contrast
from tests.forms.paper import Paper

CODE = Path(forms.__file__).parent
COLORS = [BLACK, WHITE, "#ffff00", "#0b5fff", "#777777", "#7f7f7f", "#ff0000", "#00ff00", "#123456", "#fdfdfd"]


@pytest.fixture
def open_form(organization, anonymous):
    """open_form(**template): the first page of an interview."""

    def open_one(query="", **template):
        invite = organization.invite(organization.template(**template))
        return Paper(anonymous.app, f"/forms/interview/{invite['token']}{query}")

    return open_one


def brand_of(paper):
    """The stylesheet of a page's brand."""
    (link,) = [link["href"] for link in paper.html.select("link[rel=stylesheet]") if "/brand/" in link["href"]]
    return paper.app.get(link, status=200).text


def properties(css):
    """The custom properties of a stylesheet."""
    return dict(re.findall(r"--([a-z-]+): (#[0-9a-f]{6});", css))


def check_contrasts(css):
    """Everything that carries meaning can be seen, in the one look of a stylesheet."""
    colors = properties(css)
    for name in ("text", "muted", "accent"):
        assert contrast(colors[name], colors["background"]) >= 4.5, name
        assert contrast(colors[name], colors["surface"]) >= 4.5, name
    assert contrast(colors["error"], colors["background"]) >= 4.5
    assert contrast(colors["on-brand"], colors["brand"]) >= 4.5
    assert contrast(colors["edge"], colors["background"]) >= 3
    assert contrast(colors["brand"], colors["background"]) >= 3


@pytest.mark.parametrize("background", COLORS)
@pytest.mark.parametrize("primary", COLORS)
def test_every_pair_of_colours_can_be_read(primary, background):
    check_contrasts(stylesheet(primary, background, "#1f2937"))


@pytest.mark.parametrize("primary", COLORS)
def test_a_brand_that_leaves_the_ground_open_is_dark_on_a_dark_device_and_can_be_read_there_too(primary):
    light, dark = stylesheet(primary).split("@media screen and (prefers-color-scheme: dark)")
    check_contrasts(light)
    check_contrasts(dark)
    assert contrast(properties(light)["background"], WHITE) < 1.1 < 15 < contrast(properties(dark)["background"], WHITE)


@pytest.mark.parametrize("chosen", [{"background_color": "#ffffff"}, {"text_color": "#1f2937"}])
def test_a_brand_that_chooses_its_ground_or_its_text_forbids_the_dark(open_form, chosen):
    assert "prefers-color-scheme" not in brand_of(open_form(branding=chosen, slug="fixed"))
    assert "prefers-color-scheme" in brand_of(open_form(branding={"primary_color": "#aa0011"}))


def test_a_template_brings_its_colours(open_form):
    branding = {"primary_color": "#AA0011", "background_color": "#111111", "text_color": "#eeeeee"}
    colors = properties(brand_of(open_form(branding=branding)))
    assert (colors["background"], colors["text"]) == ("#111111", "#eeeeee")


def test_what_the_organization_has_in_another_form_is_replaced_by_the_default():
    branding = {"primary_color": "red;} body {display: none", "text_color": None, "background_color": "#FFF"}
    assert sheet_name(branding) == "1d4ed8"


@pytest.mark.parametrize("name", ["x", "1d4ed8-ffffff", "1d4ed8-ffffff-1f2937-000000", "1D4ED8", "%0a"])
def test_a_stylesheet_of_anything_but_one_colour_or_three_does_not_exist(name, anonymous):
    anonymous.app.get(f"/forms/brand/{name}.css", status=404)


def store_logo(organization, content_type, content):
    """A logo as it lies in the database; its SHA-256."""
    sha256 = hashlib.sha256(content).hexdigest()
    file_id = organization.insert("files", filename="l", content_type=content_type, size=len(content), sha256=sha256)
    for position, chunk in enumerate((content[:3], content[3:])):
        organization.owner.execute(
            "insert into app.file_chunks (organization_id, file_id, position, content) values (%s, %s, %s, %s)",
            (organization.id, file_id, position, chunk),
        )
    organization.owner.execute(
        "update app.organizations set logo_file_id = %s where id = %s", (file_id, organization.id)
    )
    return sha256


def test_the_stored_logo_is_shown_from_the_forms_own_address(organization, open_form, anonymous):
    content = b"\x89PNG " + organization.name.encode()
    store_logo(organization, "image/png", content)
    image = open_form().html.select_one("img.logo")
    assert image["alt"] == organization.name
    answer = anonymous.app.get(image["src"], status=200)
    assert (answer.body, answer.content_type) == (content, "image/png")
    assert "immutable" in answer.headers["Cache-Control"]


def test_no_other_file_can_be_read_as_a_logo(organization, anonymous, open_form):
    markup = store_logo(organization, "image/svg+xml", b"<svg/>" + organization.name.encode())
    anonymous.app.get(f"/forms/logo/{markup}", status=404)
    replaced = store_logo(organization, "image/png", b"old " + organization.name.encode())
    store_logo(organization, "image/png", b"new " + organization.name.encode())
    anonymous.app.get(f"/forms/logo/{replaced}", status=404)
    anonymous.app.get("/forms/logo/x", status=404)


def test_a_logo_of_another_server_is_not_asked_for(open_form, organization):
    paper = open_form(branding={"logo_url": "https://elsewhere.example/logo.png"})
    assert paper.html.select("img") == []
    assert paper.text(".organization") == [organization.name]
    assert paper.response.text.count("elsewhere.example") == 0


def test_a_logo_of_this_server_is_shown(open_form):
    paper = open_form(branding={"logo_url": "https://pipeline.example/forms/logo/abc"})
    assert paper.html.select_one("img.logo")["src"] == "/forms/logo/abc"


def test_static_files_are_named_by_their_content_and_kept_for_good(open_form, wsgi):
    paper = open_form()
    for address in [paper.html.select_one("link")["href"], paper.html.select_one("script[src]")["src"]]:
        # WebTest itself would unpack.
        plain = Request.blank(address).get_response(wsgi)
        packed = Request.blank(address, headers={"Accept-Encoding": "gzip"}).get_response(wsgi)
        assert packed.headers["Content-Encoding"] == "gzip"
        assert gzip.decompress(packed.body) == plain.body
        assert (packed.headers["Vary"], "immutable" in packed.headers["Cache-Control"]) == ("Accept-Encoding", True)
        paper.app.get(re.sub("static/[0-9a-f]+", "static/000000000000", address), status=404)
    paper.app.get("/forms/static/x/../../__init__.py", status=404)


def test_a_page_with_its_style_and_script_weighs_little(wsgi, anonymous, invite):
    files = wsgi.registry.form_assets.files
    weight = sum(len(file.packed) for name, file in files.items() if name.endswith((".css", ".js")))
    page = Paper(anonymous.app, f"/forms/interview/{invite['token']}").response.body
    assert weight < 25_000
    assert weight + len(gzip.compress(page)) < 45_000


@pytest.mark.parametrize("language", sorted(CATALOGUES))
def test_a_translation_has_the_keys_and_the_placeholders_of_the_english_one(language):
    english, words = (json.loads((FOLDER / f"{name}.json").read_text()) for name in ("en", language))
    assert set(words) <= set(english)
    for key, text in words.items():
        assert set(re.findall(r"\{\w+\}", text)) == set(re.findall(r"\{\w+\}", english[key])), key
    untranslated = {"errors.link", "page.title"}
    assert set(english) - set(words) <= untranslated


def test_every_text_is_used_by_a_page_or_by_the_module():
    sources = [*CODE.glob("*.py"), *CODE.glob("templates/*.html"), *CODE.glob("static/*.js")]
    source = "\n".join(path.read_text() for path in sources)
    computed = (
        "error.",
        "account.error.",
        "advice.",
        "save.",
        "language.",
        "address.",
        "error.ranking_",
        "answers.",
        "person.",
        *(
            f"{state}."
            for state in (
                "answers_expired",
                "preview_expired",
                "expired",
                "later",
                "reminders",
                "reminders_stopped",
                "unknown",
                "limited",
                "crowded",
                "unavailable",
                "refused",
                "sent",
                "link_unknown",
                "accepted",
                "declined",
                "activate",
                "activate_expired",
                "reset",
                "reset_expired",
                "reset_done",
                "forgot",
                "forgot_sent",
            )
        ),
    )
    for key in CATALOGUES["en"].words:
        if not key.startswith(computed):
            assert key.removeprefix("js.") in source, key


@pytest.mark.parametrize(("asked", "spoken"), [("de", "de"), ("de-AT", "de"), ("DE", "de"), ("xx", "en"), ("", "en")])
def test_the_language_is_the_one_asked_for_or_english(asked, spoken):
    assert texts_for(asked).language == spoken


def test_a_right_to_left_language_turns_the_page(open_form):
    assert open_form("?lang=ar").html.html["dir"] == "rtl"
