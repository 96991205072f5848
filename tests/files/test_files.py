import hashlib
import io
import os
import signal
import subprocess
import sys
import tempfile
from contextlib import ExitStack
from pathlib import Path

import pytest

from pipeline import files
from pipeline.database import queries
from pipeline.validation.errors import Problem
from tests.waiting import without_timeouts

ROOT = Path(__file__).resolve().parents[2]
# A process that stores a file of three chunks, as a person in an organization with a session.
STORE = """
import io, os, sys
from pipeline import files
from pipeline.database import Database, queries
from tests.waiting import SECONDS

user_id, organization_id, session_id = map(int, sys.argv[1:])
with Database(os.environ["DATABASE_URL"], 1, patience=SECONDS).transaction():
    queries.authenticate(user_id=user_id, organization_id=organization_id, session_id=session_id)
    files.store(io.BytesIO(b"a" * 3 * files.CHUNK), "a.bin", "application/octet-stream")
"""


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


@pytest.mark.parametrize("respond", [files.tag_response, lambda id: files.file_response(id, ExitStack)])
def test_a_file_that_went_since_its_id_was_read_is_not_found(respond, inside):
    id = files.store(io.BytesIO(b"x"), "a.bin", "application/octet-stream")
    queries.file_delete(ids=[id])
    with pytest.raises(Problem, match="not_found"):
        respond(id)


def test_a_process_that_is_killed_in_the_middle_of_a_store_leaves_no_half_file(organization, login_url, owner):
    user_id = organization.users["member"]
    numbers = map(str, (user_id, organization.id, organization.session(user_id)))
    url = without_timeouts(organization.server(login_url("pipeline_app")))
    environ = {**os.environ, "DATABASE_URL": url, "PIPELINE_CHAOS": "chunk_stored"}
    killed = subprocess.run([sys.executable, "-c", STORE, *numbers], env=environ, cwd=ROOT, check=False)
    assert killed.returncode == -signal.SIGKILL
    for table in ("files", "file_chunks"):
        assert not owner.execute(f"select from app.{table} where organization_id = %s", [organization.id]).fetchone()


def test_a_file_that_changed_since_it_arrived_is_not_stored(inside):
    with tempfile.TemporaryFile() as file:
        file.write(b"signed")
        with pytest.raises(files.Damaged):
            files.store(
                file, "a.bin", "application/octet-stream", received=hashlib.sha256(b"signed by all").hexdigest()
            )
    assert queries.file_storage_use() is None
