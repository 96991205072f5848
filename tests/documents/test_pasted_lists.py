"""Generated nested lists print the markers of their source, whichever program wrote them."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline.documents.clauses import TYPES, counted
from tests.contracts.merging import MANY
from tests.documents.pasting import word
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
