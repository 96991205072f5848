"""`python -m tests.documents.beside FOLDER` pictures each pasted licence: its source, its PDF and its Word file."""

import io
import subprocess
import sys
from pathlib import Path

from PIL import Image
from playwright.sync_api import sync_playwright

from pipeline.contracts import merge
from pipeline.documents.pdf import render as render_pdf
from pipeline.documents.word import render as render_docx
from tests.documents import licences
from tests.documents.support import Office, document
from tests.forms.browsing import launch

# Pixels of an inch, and of an A4 page's width at as many.
DENSITY, WIDTH = 72, 595
SIGNATURE = b"\x89PNG\r\n\x1a\n"


def pages(pdf):
    """Pictures of a PDF's pages."""
    command = ["pdftoppm", "-png", "-r", str(DENSITY), "-"]
    png = subprocess.run(command, input=pdf, capture_output=True, check=True).stdout
    return [Image.open(io.BytesIO(SIGNATURE + one)) for one in png.split(SIGNATURE)[1:]]


def joined(images, below=False):
    """Images below or beside each other on white."""
    widths, heights = [image.width for image in images], [image.height for image in images]
    size = (max(widths), sum(heights)) if below else (sum(widths), max(heights))
    whole, place = Image.new("RGB", size, "white"), 0
    for image in images:
        whole.paste(image, (0, place) if below else (place, 0))
        place += image.height if below else image.width
    return whole


def main(folder):
    """Write FOLDER/PROGRAM.png for each program."""
    folder.mkdir(parents=True, exist_ok=True)
    sources = {program: licences.write(program) for program in licences.PROGRAMS}
    made = [document(merge.sanitize(source)) for source in sources.values()]
    papers = Office(folder).pdfs([render_docx(one) for one in made])
    with sync_playwright() as playwright, launch(playwright, "chromium") as browser:
        page = browser.new_page(viewport={"width": WIDTH, "height": 842})
        for (program, source), one, paper in zip(sources.items(), made, papers, strict=True):
            page.set_content(source)
            page.add_style_tag(content="body { margin: 40px 60px }")
            shown = Image.open(io.BytesIO(page.screenshot(full_page=True)))
            joined([shown, *(joined(pages(pdf), below=True) for pdf in (render_pdf(one), paper))]).save(
                folder / f"{program}.png"
            )


if __name__ == "__main__":
    main(Path(sys.argv[1]))
