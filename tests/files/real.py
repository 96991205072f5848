"""Files of the sizes and origins that people upload, hard to compress.

LibreOffice, openpyxl, Pillow and pikepdf make them.
"""

import base64
import io
import random

import openpyxl
import pikepdf
from PIL import Image

from tests.documents.support import Office


def files(folder):
    """The files by name: a dict of bytes; `folder` is for LibreOffice to work in."""
    picture = folder / "letter.html"
    image = base64.b64encode(noise("PNG", 250)).decode()
    text = "".join(f"<h2>Clause {number}</h2><p>{sentence(number)}</p>" for number in range(60))
    picture.write_text(f'<html><body>{text}<img src="data:image/png;base64,{image}"></body></html>')
    return {
        "letter.docx": Office(folder).converted([picture], "docx", "--infilter=HTML (StarWriter)")[0],
        "seats.xlsx": workbook(5_000),
        "scan.png": noise("PNG", 1300),
        "scan.jpg": noise("JPEG", 2200),
        "signed.pdf": pdf(20 * 1024 * 1024),
        "form.pdf": pdf(4 * 1024 * 1024),
        "seats.csv": rows(5_000).encode(),
        "notes.txt": "".join(map(sentence, range(5_000))).encode(),
    }


def noise(kind, side):
    """A square image of noise, PNG or JPEG, with `side` pixels a side."""
    made = io.BytesIO()
    pixels = random.Random(side).randbytes(side * side * 3)
    Image.frombytes("RGB", (side, side), pixels).save(made, kind, quality=95)
    return made.getvalue()


def pdf(size):
    """A PDF of one page whose content stream is a scan of about `size` bytes."""
    made, document = io.BytesIO(), pikepdf.new()
    document.add_blank_page()
    scan = pikepdf.Stream(document, random.Random(size).randbytes(size), Type=pikepdf.Name.XObject)
    document.pages[0].Resources = pikepdf.Dictionary(XObject=pikepdf.Dictionary(Scan=document.make_indirect(scan)))
    document.save(made, compress_streams=False)
    return made.getvalue()


def rows(number):
    """A CSV of so many leads."""
    lines = (f"Pat{row},Doe,pat{row}@prospect.example,Prospect {row} Ltd" for row in range(number))
    return "\r\n".join(("first_name,last_name,email,company", *lines, ""))


def workbook(number):
    """An Excel workbook of so many leads."""
    made, book = io.BytesIO(), openpyxl.Workbook()
    for line in rows(number).splitlines():
        book.active.append(line.split(","))
    book.save(made)
    return made.getvalue()


def sentence(number):
    """A sentence of about a hundred characters, another for each number."""
    return f"The licensee may install the software on {random.Random(number).getrandbits(200)} servers of its own.\n"
