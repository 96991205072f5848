import io
import random

import pikepdf


def pdf(size):
    """A PDF of one page whose content stream is a scan of about `size` bytes."""
    made, document = io.BytesIO(), pikepdf.new()
    document.add_blank_page()
    scan = pikepdf.Stream(document, random.Random(size).randbytes(size), Type=pikepdf.Name.XObject)
    document.pages[0].Resources = pikepdf.Dictionary(XObject=pikepdf.Dictionary(Scan=document.make_indirect(scan)))
    document.save(made, compress_streams=False)
    return made.getvalue()
