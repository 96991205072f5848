"""Any upload as a signed copy or a logo is accepted or refused, without a crash."""

import io
import tempfile

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pipeline.files.content import MEDIA_TYPES, ZIP_END_SIGN, _zip_end, check_content
from pipeline.files.images import reencoded
from pipeline.validation.errors import Problem
from tests.contracts.support import docx_file, image_file, pdf_file

SEEDS = [pdf_file(), docx_file(), image_file("PNG"), image_file("JPEG")]


def verdict(check, *arguments):
    """What a check answers, or the code of its problem."""
    try:
        return check(*arguments)
    except Problem as problem:
        return problem.code


@st.composite
def damaged(draw):
    """A good file with some bytes changed, cut out or put in."""
    content = bytearray(draw(st.sampled_from(SEEDS)))
    for _ in range(draw(st.integers(1, 4))):
        place = draw(st.integers(0, len(content)))
        content[place : place + draw(st.integers(0, 4))] = draw(st.binary(max_size=4))
    return bytes(content) or b"\0"


@settings(max_examples=300)
@given(content=damaged() | st.binary(min_size=1, max_size=200), extension=st.sampled_from(sorted(MEDIA_TYPES)))
def test_a_damaged_file_is_taken_or_refused(content, extension):
    with tempfile.SpooledTemporaryFile() as file:
        file.write(content)
        assert verdict(check_content, file, f"a.{extension}") in (
            (f"a.{extension}", MEDIA_TYPES[extension]),
            "unsupported_file",
        )


@settings(max_examples=300)
@given(content=damaged())
def test_a_damaged_logo_is_taken_or_refused(content):
    made = verdict(reencoded, io.BytesIO(content))
    assert made == "unsupported_file" or made.content_type in ("image/png", "image/jpeg")


@pytest.mark.parametrize("extension", sorted(MEDIA_TYPES))
def test_each_kind_is_taken_under_its_own_names_only(extension):
    taken = []
    for seed in SEEDS:
        with tempfile.SpooledTemporaryFile() as file:
            file.write(seed)
            if verdict(check_content, file, f"a.{extension}") != "unsupported_file":
                taken.append(seed)
    assert len(taken) == 1


class Counting(bytes):
    """Bytes that count how often they are searched, and how far."""

    def rfind(self, sign, *bounds):
        self.searched = getattr(self, "searched", 0) + 1
        place = super().rfind(sign, *bounds)
        self.reached = place if place >= 0 else bounds[0]
        return place


def test_only_where_an_archive_can_end_is_its_end_looked_for():
    searches = []
    for number in (20_000, 2_000_000):
        content = Counting(ZIP_END_SIGN * number)
        assert _zip_end(content) is None
        searches.append(content.searched)
        assert content.reached > len(content) - 70_000
    assert searches[0] == searches[1]
