import hashlib
import io
import tempfile
from contextlib import ExitStack

import pytest
from PIL import Image

from pipeline import files
from pipeline.database import queries
from pipeline.files.images import reencoded
from pipeline.validation.errors import Problem
from tests.contracts.support import image_file


@pytest.fixture
def inside(wsgi, organization):
    """A transaction of a member."""
    with wsgi.registry.app.of(organization.id).transaction():
        user_id = organization.users["member"]
        queries.authenticate(user_id=user_id, organization_id=organization.id, session_id=organization.session(user_id))
        yield


@pytest.mark.parametrize("size", [1, files.CHUNK - 1, files.CHUNK, files.CHUNK + 1, 3 * files.CHUNK])
def test_a_file_comes_back_as_it_was(inside, size):
    content = bytes(range(256)) * (size // 256 + 1)
    content = content[:size]
    with tempfile.TemporaryFile() as file:
        file.write(content)
        id = files.store(file, "a.bin", "application/octet-stream")
    facts = queries.file_get(id=id)
    assert (facts["size"], facts["sha256"]) == (size, hashlib.sha256(content).hexdigest())
    assert files.read(id) == content


@pytest.mark.parametrize(
    ("given", "safe"),
    [
        ("", "file"),
        ("...", "file"),
        ("\x00\x1f", "file"),
        (" a  b .pdf ", "a b .pdf"),
        ("x" * 300, "x" * 255),
        ("u\u0308.pdf", "ü.pdf"),
        ("a\r\nSet-Cookie: x.pdf", "aSet-Cookie x.pdf"),
    ],
)
def test_a_name_is_made_safe(given, safe):
    assert files.safe_name(given) == safe


@pytest.mark.parametrize(
    ("name", "header"),
    [
        ("Müller 1.pdf", "attachment; filename=\"Muller 1.pdf\"; filename*=UTF-8''M%C3%BCller%201.pdf"),
        ('a";x=".pdf', "attachment; filename=\"a_;x=_.pdf\"; filename*=UTF-8''a%22%3Bx%3D%22.pdf"),
        ("契", "attachment; filename=\"file\"; filename*=UTF-8''%E5%A5%91"),
        ("契約書.pdf", "attachment; filename=\"file.pdf\"; filename*=UTF-8''%E5%A5%91%E7%B4%84%E6%9B%B8.pdf"),
        ("ａ／ｂ.pdf", "attachment; filename=\"a_b.pdf\"; filename*=UTF-8''%EF%BD%81%EF%BC%8F%EF%BD%82.pdf"),
    ],
)
def test_the_disposition_holds_every_name(name, header):
    assert files.disposition(name) == header


@pytest.mark.parametrize(("value", "grey"), [(0, 0), (0x8000, 128), (0xFFFF, 255)])
def test_a_picture_of_sixteen_bits_keeps_its_greys(value, grey, tmp_path):
    (tmp_path / "grey.png").write_bytes(image_file("PNG", mode="I;16", colour=value))
    with (tmp_path / "grey.png").open("rb") as file:
        made = reencoded(file)
    assert Image.open(made.file).getpixel((0, 0)) == (grey, grey, grey, 255)


@pytest.mark.parametrize("respond", [files.tag_response, lambda id: files.file_response(id, ExitStack)])
def test_a_file_that_went_since_its_id_was_read_is_not_found(respond, inside):
    id = files.store(io.BytesIO(b"x"), "a.bin", "application/octet-stream")
    queries.file_delete(ids=[id])
    with pytest.raises(Problem, match="not_found"):
        respond(id)


def test_a_file_that_changed_since_it_arrived_is_not_stored(inside):
    with tempfile.TemporaryFile() as file:
        file.write(b"signed")
        with pytest.raises(files.Damaged):
            files.store(
                file, "a.bin", "application/octet-stream", received=hashlib.sha256(b"signed by all").hexdigest()
            )
    assert queries.file_storage_use() is None
