"""PDFs of Word files are for everyone, also with the certificate of a signed contract."""

import io
from base64 import b64encode

import pikepdf
import pytest

from pipeline import documents
from pipeline.contracts import merge
from pipeline.contracts.merge.catalogue import SAMPLES
from pipeline.documents import Document
from pipeline.documents.document import Closing
from tests.contracts.word_files import word_file
from tests.documents.beside import pages
from tests.documents.support import faults
from tests.documents.test_authored import FILES, read

CLOSING = Closing("<h1>Zertifikat</h1><table><tr><th>a</th><td>b</td></tr></table>", "RO-1", "de", "ltr")
# What the author's pictures and boxes lack, and LibreOffice's links of notes.
FIGURE, LINK = "PDFUA1-FIGURE-ALTERNATIVE-TEXT-001", "PDFUA1-LINK-LINK-TAG-001"
LEFT = {"letterhead": {FIGURE}, "letter of Word": {FIGURE}, "notes": {LINK}, "licence of Word": {LINK}}


@pytest.fixture(scope="module", params=FILES)
def sealed(request):
    """(name, PDF with a certificate) of a file of `authored/`."""
    source = FILES[request.param]
    content = merge.resolve(read(source), {}, SAMPLES).content
    file = b64encode(source).decode()
    made = documents.render("pdf", Document("Licence", "en", content, files=(file,), closing=CLOSING))
    return request.param, made


def test_the_signed_pdf_of_a_word_file_is_for_everyone(sealed):
    name, made = sealed
    assert {*faults(made)} == LEFT.get(name, set())


@pytest.mark.parametrize("sign", "☑☒☎✉⚠❤✔")
def test_a_sign_that_also_exists_in_colour_is_drawn(sign):
    file = word_file(sign)
    content = merge.resolve(read(file), {}, SAMPLES).content
    made = documents.render("pdf", Document("Licence", "en", content, files=(b64encode(file).decode(),)))
    assert pages(made)[0].convert("L").getextrema()[0] < 128


def test_the_certificate_s_pages_have_their_own_tags_in_its_language(sealed):
    with pikepdf.open(io.BytesIO(sealed[1])) as pdf:
        root, last = pdf.Root.StructTreeRoot, pdf.pages[-1]
        tagged = pikepdf.NumberTree(root.ParentTree)[int(last.StructParents)]
        assert {one.Pg.objgen for one in tagged} == {last.obj.objgen}
        contract, certificate = root.K
        assert (certificate.Lang, certificate.S, contract.S) == ("de", "/Document", "/Document")
        assert pdf.open_metadata()["dc:title"] == "Licence"
