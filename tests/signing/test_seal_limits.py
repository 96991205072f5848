"""A contract that could be sent can be sealed: a signed copy has wider limits than the contract."""

import io

import pypdf

from pipeline.documents.client import Limits
from tests.signing.envelopes import LAYOUT, content, envelope, picture, seal, shown, signature

PEOPLE = [signature(f"Person {number}", drawing=picture() + bytes(number)) for number in range(9)]
ALL = envelope(*PEOPLE, signature("John Doe", "licensor"))


def pages(pdf):
    """The number of pages."""
    return len(pypdf.PdfReader(io.BytesIO(pdf)).pages)


def test_a_signed_copy_may_be_larger_than_a_contract(limits):
    limits(output_mib=1)
    assert len(shown(content())) < 1024 * 1024 < len(seal(ALL, content(), LAYOUT))


def test_signatures_may_begin_a_further_page(limits):
    limits(pages=1)
    assert pages(shown(content())) == 1
    assert pages(seal(ALL, content(), LAYOUT)) > 2


def test_each_limit_of_a_signed_copy_is_wider():
    usual, wider = Limits(), Limits().of(signed=True)
    for name in ("seconds", "memory_mib", "output_mib", "pages", "patience"):
        assert getattr(wider, name) > getattr(usual, name), name
    assert Limits().of(signed=False) == usual
