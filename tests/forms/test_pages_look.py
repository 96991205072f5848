import gzip
import json
import re

import pytest
from webob import Request

from pipeline.forms.page.brand import sheet_name, stylesheet
from pipeline.forms.translations import CATALOGUES, FOLDER
from pipeline.signing.pages.visit import TEXTS
from pipeline.validation.colors import BLACK, WHITE, contrast

COLORS = [BLACK, WHITE, "#ffff00", "#0b5fff", "#777777", "#7f7f7f", "#ff0000", "#00ff00", "#123456", "#fdfdfd"]


def brand_of(paper):
    (link,) = [link["href"] for link in paper.html.select("link[rel=stylesheet]") if "/brand/" in link["href"]]
    return paper.app.get(link, status=200).text


def properties(css):
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


@pytest.mark.parametrize(
    ("chosen", "dark"),
    [
        ({"primary_color": "#aa0011"}, True),
        ({"background_color": "#ffffff"}, False),
        ({"text_color": "#1f2937"}, False),
    ],
)
def test_a_brand_that_chooses_its_ground_or_its_text_forbids_the_dark(chosen, dark, small):
    assert ("prefers-color-scheme" in brand_of(small(branding=chosen))) is dark


def test_a_template_brings_its_colours(small):
    branding = {"primary_color": "#AA0011", "background_color": "#111111", "text_color": "#eeeeee"}
    colors = properties(brand_of(small(branding=branding)))
    assert (colors["background"], colors["text"]) == ("#111111", "#eeeeee")


def test_a_malformed_colour_is_replaced_by_the_default():
    branding = {"primary_color": "red;} body {display: none", "text_color": None, "background_color": "#FFF"}
    assert sheet_name(branding) == "1d4ed8"


@pytest.mark.parametrize("name", ["x", "1d4ed8-ffffff", "1d4ed8-ffffff-1f2937-000000", "1D4ED8", "%0a"])
def test_a_stylesheet_of_anything_but_one_colour_or_three_does_not_exist(name, anonymous):
    anonymous.app.get(f"/forms/brand/{name}.css", status=404)


def test_a_logo_of_this_server_is_shown_and_one_of_another_is_not_asked_for(small, organization):
    paper = small(branding={"logo_url": "https://pipeline.example/forms/logo/abc"})
    assert paper.html.select_one("img.logo")["src"] == "/forms/logo/abc"
    paper = small(slug="elsewhere", branding={"logo_url": "https://elsewhere.example/logo.png"})
    assert paper.html.select("img") == []
    assert paper.text(".organization") == [organization.name]
    assert paper.response.text.count("elsewhere.example") == 0


def test_static_files_are_named_by_their_content_and_kept_for_good(small, wsgi):
    paper = small()
    for address in [paper.html.select_one("link")["href"], paper.html.select_one("script[src]")["src"]]:
        # WebTest itself would unpack.
        plain = Request.blank(address).get_response(wsgi)
        packed = Request.blank(address, headers={"Accept-Encoding": "gzip"}).get_response(wsgi)
        assert packed.headers["Content-Encoding"] == "gzip"
        assert gzip.decompress(packed.body) == plain.body
        assert (packed.headers["Vary"], "immutable" in packed.headers["Cache-Control"]) == ("Accept-Encoding", True)
        paper.app.get(re.sub("static/[0-9a-f]+", "static/000000000000", address), status=404)
    paper.app.get("/forms/static/x/../../__init__.py", status=404)
    icon = paper.app.get("/favicon.ico", status=200)
    assert (icon.content_type, icon.headers["Cache-Control"]) == ("image/svg+xml", "public, max-age=86400")
    embed = paper.app.get("/forms/embed.js", status=200)  # whose name stays
    assert (embed.content_type, embed.headers["Cache-Control"]) == ("text/javascript", "public, max-age=3600")


def test_a_page_with_its_style_and_script_weighs_little(wsgi, paper):
    files = wsgi.registry.form_assets.files
    # A page with an address loads the names of countries besides.
    countries = len(files["countries.js"].packed)
    weight = sum(len(file.packed) for name, file in files.items() if name.endswith((".css", ".js"))) - countries
    assert countries < 12_000
    assert weight < 27_000
    assert weight + len(gzip.compress(paper.response.body)) < 45_000


COUNTED = ("{max_length}", "{min_length}", "{max_files}", "{min_ranked}", "{max_selected}", "{minutes}")


@pytest.mark.parametrize("language", sorted(CATALOGUES))
@pytest.mark.parametrize(("folder", "optional"), [(FOLDER, {"errors.link", "page.title"}), (TEXTS, set())])
def test_a_translation_has_the_keys_and_the_placeholders_of_the_english_one(folder, optional, language):
    english, words = (json.loads((folder / f"{name}.json").read_text()) for name in ("en", language))
    keys, own = ({key.partition("#")[0] for key in some} for some in (english, words))
    assert own <= keys <= own | optional
    for key, text in words.items():
        named, placeholders = (set(re.findall(r"\{\w+\}", one)) for one in (text, english[key.partition("#")[0]]))
        # A plural form may write its number as a word.
        assert named <= placeholders <= named | ({*COUNTED} if "#" in key else set()), key
