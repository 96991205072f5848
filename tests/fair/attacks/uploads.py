"""Uploads: begun and left, and real ones of the largest size."""

from tests.contracts.support import pdf_file
from tests.fair.attacks.swarm import swarm
from tests.fair.http import HOST
from tests.leads.csv_files import FORM, multipart

LARGEST = 25 * 1024 * 1024
CROWD = 16
# So many are stored, so that the disk stays as it is.
MOST = 64


def signed_copy():
    """A PDF of the largest size that is taken."""
    return pdf_file(b"signed " * ((LARGEST - 1024) // 7))


def silent_uploads(field):
    """Sixteen begin to upload a signed copy and say no more."""
    tokens, path = field.spec["tokens"], f"{field.contract('signed', 0)}/executed"

    def first(index):
        head = f"POST {path} HTTP/1.1\r\nHost: {HOST}\r\nAuthorization: Bearer {tokens[index % len(tokens)]}\r\n"
        begun = multipart(b"%PDF-1.7\n", filename="signed.pdf")[:-60]
        return f"{head}Content-Type: {FORM}\r\nContent-Length: {LARGEST}\r\n\r\n".encode() + begun

    swarm(field, CROWD, first)


def real_uploads(field):
    """Sixteen at once upload signed copies of 25 MiB."""
    content = multipart(signed_copy(), filename="signed.pdf")

    def turn(index, _turn):
        if field.got["201"] >= MOST:
            return field.rest()
        client = field.user(index)
        path = f"{field.contract('signed', index)}/executed"
        field.ask(client, "POST", path, content, {"Content-Type": FORM})
        return client.close()

    field.crowd(CROWD, turn)


ATTACKS = {"silent uploads": silent_uploads, "real uploads": real_uploads}
