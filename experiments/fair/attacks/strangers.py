"""Strangers without a login: drawn signatures, files to verify, and links by email."""

import base64
import io
import random
from contextlib import closing
from urllib.parse import urlencode

from PIL import Image

from experiments.fair.http import Client
from pipeline.signing.consent import CONSENT
from tests.leads.csv_files import FORM as MULTIPART
from tests.leads.csv_files import multipart
from tests.signing.forging import HOSTILE

CROWD = 16
FORM = {"Content-Type": "application/x-www-form-urlencoded"}


def png(image):
    file = io.BytesIO()
    image.save(file, "PNG", compress_level=1)
    return file.getvalue()


def pictures():
    """A white one of far too many pixels, and the costliest of the largest size that is read."""
    yield png(Image.new("I;16", (4000, 4000), 65535))
    yield png(Image.frombytes("1", (2000, 800), random.Random(1).randbytes(200_000)))


def drawings(field):
    """Sixteen at once send drawings that are too large, or cost the most that they may."""
    fields = {"_go": "sign", "kind": "drawn", "consent": CONSENT}
    drawn = [base64.b64encode(picture).decode() for picture in pictures()]
    bodies = [urlencode({**fields, "drawing": drawing}).encode() for drawing in drawn]

    def turn(_index, turn):
        with closing(Client(field.port, source=field.source(turn))) as client:
            field.ask(client, "POST", f"/sign/{field.spec['link']}", bodies[turn % len(bodies)], FORM)

    field.crowd(CROWD, turn)


def verifications(field):
    """Sixteen at once have files checked that harm whoever parses them."""
    bodies = [multipart(made(), filename="a.pdf") for made in HOSTILE.values()]

    def turn(_index, turn):
        with closing(Client(field.port, source=field.source(turn))) as client:
            field.ask(client, "POST", "/verify", bodies[turn % len(bodies)], {"Content-Type": MULTIPART})

    field.crowd(CROWD, turn)


def links(field):
    """Sixteen at once have links to the other organization's form emailed, each to another address."""
    step = {"_go": "later", "_step": field.spec["step"], "product_line": "server"}

    def turn(_index, turn):
        body = urlencode({**step, "_email": f"stranger-{turn}@prospect.example"}).encode()
        with closing(Client(field.port, source=field.source(turn))) as client:
            field.ask(client, "POST", field.spec["form"], body, FORM)

    field.crowd(CROWD, turn)
