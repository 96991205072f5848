import cProfile
import html
import pstats
import re

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from lxml.html import fragments_fromstring

from pipeline.forms.questions.markdown import to_html, to_text

AWAY = 'target="_blank" rel="noopener noreferrer nofollow"'
ALLOWED = dict.fromkeys(("p", "br", "em", "strong", "ul", "li"), set()) | {
    "a": {"href", "target", "rel"},
    "span": {"class"},
}
MARKUP = ["<script>", "</p>", "<a href=", "onclick=", "<!--", "]]>", "&#x3c;", "&lt;", "javascript:", "data:text/html,"]
MARKDOWN = ["https://a.b", "HTTPS://a.b", "mailto:a@b.c", "](", "[x](https://a.b)", "**", "- ", "\n\n", "    ", "1. "]
PIECES = ["\ud83d\ude80", *"<>&\"'`[]()!*_-+#\\:/=;{}|~^\n\t \x00\u202eaé", *MARKUP, *MARKDOWN]


def markup(text):
    return str(to_html(text, "(new tab)"))


def link(text):
    return f'<p><a href="https://a.example/t" {AWAY}>{text}<span class="apart"> (new tab)</span></a></p>'


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("one\ntwo\n\nthree", "<p>one<br>\ntwo</p>\n<p>three</p>"),
        ("*very* **much**", "<p><em>very</em> <strong>much</strong></p>"),
        ("- a\n- b", "<ul>\n<li>a</li>\n<li>b</li>\n</ul>"),
        ("[mail](mailto:a@b.example)", '<p><a href="mailto:a@b.example">mail</a></p>'),
        ("[terms](https://a.example/t)", link("terms")),
        ("[](https://a.example/t)", link("https://a.example/t")),
        (r"2 \* 3", "<p>2 * 3</p>"),
        ("snake_case __init__", "<p>snake_case __init__</p>"),
    ],
)
def test_markdown_becomes_html(text, expected):
    assert markup(text) == expected


@pytest.mark.parametrize(
    "text",
    [
        "<script>alert(1)</script>",
        "&lt;b&gt; &copy;",
        "[x](javascript:alert(1))",
        "[x](//evil.example)",
        "[x](/forms/x)",
        "<https://a.example>",
        "https://a.example",
        "# heading",
        "`code`",
    ],
)
def test_everything_else_is_text(text):
    assert markup(text) == f"<p>{html.escape(text, quote=False)}</p>"


@given(st.lists(st.sampled_from(PIECES) | st.text(max_size=3), max_size=30).map("".join))
@example("[a](https://x'\"onmouseover=alert(1))")
@example('[a](https://x "title\\" onclick=x")')
@settings(max_examples=200)
def test_no_text_makes_an_element_an_attribute_or_a_target_that_is_not_meant(text):
    for phrases in (False, True):
        made = str(to_html(text, "(new tab)", phrases))
        parsed = [part for part in fragments_fromstring(made) if not isinstance(part, str)] if made else []
        for element in (found for part in parsed for found in part.iter()):
            assert set(element.attrib) <= ALLOWED[element.tag], made
            assert re.match("(?i)https://|mailto:", element.get("href", "mailto:")), made
            assert element.get("class", "p") in ("p", "ul", "li", "apart"), made
    assert "\n" not in to_text(text)


def calls(function, *arguments):
    profile = cProfile.Profile(builtins=False)
    profile.runcall(function, *arguments)
    return pstats.Stats(profile).total_calls


@pytest.mark.parametrize(
    "piece", ["a**b*", "*a", "*a**b***c", "[", "*[", "[a](https://a.b)", "- a\n", "\\*", "_<&`{:#"]
)
def test_the_parser_takes_twice_as_many_steps_for_a_text_of_twice_the_length(piece):
    assert calls(to_text, piece * 600) < 2.1 * calls(to_text, piece * 300)
