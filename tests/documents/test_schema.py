"""Word files hold to the schemas of Open XML, as Microsoft's Open XML SDK reads them. `make linters` installs it.

tests/parity asks the same of generated contracts.
"""

import pytest

from development.linters import validate
from pipeline.documents.word import render as render_docx
from pipeline.documents.word import render_redline
from tests.documents.support import document, licence
from tests.parity.contracts import Maker


@pytest.fixture
def faults(tmp_path):
    """faults(docx): what the SDK finds in a Word file's bytes."""

    def check(docx):
        file = tmp_path / "contract.docx"
        file.write_bytes(docx)
        return validate(file)

    return check


def test_the_licence_agreement_is_valid(faults):
    assert faults(render_docx(licence())) == []


def test_a_redline_is_valid(faults):
    earlier, later = (Maker(seed).document() for seed in (1, 7))
    assert faults(render_redline(later._replace(earlier=earlier.content))) == []


def test_the_sdk_does_look(faults):
    damaged = render_docx(document("<p>x</p>")).replace(b"[Content_Types].xml", b"[Content_Typos].xml")
    assert faults(damaged) != []
