"""Generated nested lists print the markers of their source, whichever program wrote them."""

from functools import partial

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pipeline.contracts import merge
from pipeline.documents.clauses import TYPES, counted
from pipeline.documents.pdf import render as render_pdf
from pipeline.documents.word import render as render_docx
from tests.contracts.merging import MANY
from tests.documents.pasting import word
from tests.documents.support import document, letters, pdf_text
from tests.documents.test_pasted import printed

NAMES = {"1": "decimal", "a": "lower-alpha", "A": "upper-alpha", "i": "lower-roman", "I": "upper-roman"}
FORMS = ("{}.", "{})", "({})", "Article {}", "§ {}", "{}.{}.", "{}.{}")


@st.composite
def lists(draw, depth=3):
    """(type, first number, [nested list or None for each item])."""
    items = st.none() if depth == 1 else st.none() | lists(depth - 1)
    return draw(st.sampled_from("1aAiI")), draw(st.integers(1, 20)), draw(st.lists(items, min_size=1, max_size=3))


def markers(made, forms, above="", level=1):
    """(marker, level) of each item, in order."""
    kind, first, items = made
    for number, nested in enumerate(items, start=first):
        label = counted(TYPES[kind], number)
        form = forms[level - 1]
        marker = form.format(above, label) if form.count("{}") == 2 and above else form.format(label, label)
        yield (marker if form.count("{}") == 1 or above else f"{label}."), level
        if nested:
            yield from markers(nested, forms, label, level + 1)


def html(made, level=1, nest=True):
    """The list in HTML, its type as a style: of the list, or of each item as Google Docs writes it."""
    kind, first, items = made
    inner = []
    for nested in items:
        item = f'<li style="list-style-type: {NAMES[kind]}">x'
        inner.append(item + (html(nested) if nested and nest else "") + "</li>")
        if nested and not nest:
            inner.append(html(nested, nest=False))
    return f'<ol start="{first}" style="list-style-type:{NAMES[kind]}">{"".join(inner)}</ol>'


def of_word(made):
    """(HTML, lines shown) of a list in Word."""
    shown = list(markers(made, ("Article {}", "{}.{}", "({})")))
    source = "".join(word(marker, "x", level, left=36 * level) for marker, level in shown)
    return source, [f"{marker} x" for marker, _ in shown]


def of_editors(made, nest=True):
    """The same in editors, or in Google Docs."""
    return html(made, nest=nest), [f"{marker} x" for marker, _ in markers(made, ("{}.",) * 3)]


WRITERS = {"word": of_word, "editors": of_editors, "google_docs": partial(of_editors, nest=False)}


@MANY
@given(lists(), st.lists(st.sampled_from(FORMS), min_size=3, max_size=3), st.booleans())
def test_generated_lists_of_word_print_their_markers(made, forms, places):
    shown = list(markers(made, forms))
    source = "".join(word(marker, "x", level, left=36 * level if places else None) for marker, level in shown)
    assert printed(source) == [f"{marker} x" for marker, _ in shown]


@pytest.mark.parametrize("nest", [True, False], ids=["editors", "Google Docs"])
def test_generated_lists_of_editors_print_their_markers(nest):
    @MANY
    @given(lists())
    def check(made):
        shown = [f"{marker} x" for marker, _ in markers(made, ("{}.",) * 3)]
        assert printed(html(made, nest=nest)) == shown

    check()


@pytest.mark.parametrize("write", WRITERS)
def test_generated_lists_print_their_markers_in_both_documents(write, office):
    @settings(max_examples=2)
    @given(st.lists(lists(), min_size=15, max_size=15))
    def check(made):
        sources, shown = zip(*map(WRITERS[write], made), strict=True)
        paper = document(merge.sanitize("<p>then</p>".join(sources)))
        expected = letters("then".join("".join(lines) for lines in shown))
        assert [letters(pdf_text(pdf)) for pdf in (render_pdf(paper), office.pdf(render_docx(paper)))] == [expected] * 2

    check()
