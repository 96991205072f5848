"""What signers read of a Word file is what its PDF prints: numbers, references, notes, headers and footers."""

import collections
import re

import pytest
from lxml import html

from pipeline.contracts import merge
from pipeline.contracts.merge.catalogue import SAMPLES
from pipeline.documents import COPY, PDF, Document
from pipeline.documents.authored import filling
from pipeline.documents.client import RenderLimits
from pipeline.documents.converter import Converter
from tests.documents.numbered import CASES, numbered
from tests.documents.support import pdf_text
from tests.documents.test_authored import FILES, filled, read

WORD = re.compile(r"\w+")


def both(file):
    """(the reading copy, the text of the PDF) of a Word file with the values of the examples."""
    content = merge.resolve(read(file), {}, SAMPLES).content
    document = Document("", "en", content, files=(b64encode(file).decode(),))
    copy = html.fromstring(f"<div>{filling.made(COPY, document).decode()}</div>")
    return copy, pdf_text(Converter(RenderLimits()).convert(filling.made(PDF, document)))
