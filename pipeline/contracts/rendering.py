"""A contract's PDF and DOCX: rendered once for each revision, then answered from the store."""

import hashlib
import io
from typing import NamedTuple

import structlog

from pipeline import documents, files
from pipeline.database import queries
from pipeline.problems import Problem

# How long one request waits until another has rendered the same document.
PATIENCE = "25s"

log = structlog.get_logger(__name__)


class Rendered(NamedTuple):
    """A document: the id of its stored file, or the bytes of one that there was no room for, with its name."""

    file_id: int | None
    content: bytes = b""
    filename: str = ""


def document(id, kind, turn):
    """The Rendered document of a contract's current revision, or None without the contract.

    kind: pdf or docx. What is not stored yet is rendered at once, within `turn()`, a context manager: who renders
    holds a connection meanwhile. 422 `document_too_complex`, 503 when it cannot be rendered now.
    """
    found = queries.contract_document(id=id, kind=kind)
    if found is None or found["file_id"]:
        return found and Rendered(found["file_id"])
    try:
        with turn():
            return render_once(id, kind)
    except documents.TooComplex as error:
        raise Problem("document_too_complex", str(error) or None) from error
    except documents.Unavailable as error:
        raise Problem("unavailable", "The document cannot be rendered at the moment.") from error


def render_once(id, kind, revision=None):
    """The Rendered document of a contract's current revision, stored unless somebody has been faster.

    A full storage stands in no contract's way: the document is made, and not kept.
    None without the contract, and when `revision` is given and no longer the current one. Others who want the same
    document wait until this transaction ends. Raises documents.TooComplex and documents.Unavailable.
    """
    queries.contract_patience(patience=PATIENCE)
    queries.contract_document_turn(id=id, kind=kind)
    found = queries.contract_document(id=id, kind=kind)
    if found is None or revision not in (None, found["revision"]):
        return None
    if found["file_id"]:
        return Rendered(found["file_id"])
    return _store(found, kind, documents.render(kind, _document(found)))


def _document(contract):
    layout = contract["layout"]
    logo = layout.get("logo_file_id")
    return documents.Document(
        title=contract["name"],
        language=layout.get("language") or "en",
        content=contract["content"],
        logo=files.read(logo) if logo else None,
        **{name: layout.get(name) or "" for name in documents.MARGINS},
    )


def _store(contract, kind, content):
    filename = f"{contract['contract_number']}.{kind}"
    try:
        file_id = files.store(io.BytesIO(content), filename, documents.MEDIA_TYPES[kind])
    except files.StorageFull:
        log.warning("document_not_stored", contract_id=contract["id"], kind=kind)
        return Rendered(None, content, filename)
    kept = queries.contract_document_insert(
        contract_id=contract["id"], revision=contract["revision"], kind=kind, file_id=file_id
    )
    if not kept:  # the contract was deleted meanwhile
        queries.file_delete(ids=[file_id])
        return None
    return Rendered(file_id)


def response(rendered, kind):
    """The download of a Rendered document."""
    if rendered.file_id:
        return files.file_response(rendered.file_id)
    content = rendered.content
    digest = hashlib.sha256(content).hexdigest()
    media_type = documents.MEDIA_TYPES[kind]
    return files.download(io.BytesIO(content), rendered.filename, media_type, len(content), digest)
