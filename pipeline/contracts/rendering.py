"""A contract's PDF and DOCX: rendered once for each revision, then answered from the store."""

import io

from pipeline import documents, files
from pipeline.database import queries
from pipeline.problems import Problem

# How long one request waits until another has rendered the same document.
PATIENCE = "25s"


def document(id, kind, turn):
    """The id of the stored file of a contract's current revision, or None without the contract.

    kind: pdf or docx. What is not stored yet is rendered at once, within `turn()`, a context manager: who renders
    holds a connection meanwhile. 422 `document_too_complex`, 503 when it cannot be rendered now.
    """
    found = queries.contract_document(id=id, kind=kind)
    if found is None or found["file_id"]:
        return found and found["file_id"]
    try:
        with turn():
            return render_once(id, kind)
    except documents.TooComplex as error:
        raise Problem("document_too_complex", str(error) or None) from error
    except documents.Unavailable as error:
        raise Problem("unavailable", "The document cannot be rendered at the moment.") from error


def render_once(id, kind, revision=None):
    """The id of the stored file of a contract's current revision, rendered unless somebody has been faster.

    None without the contract, and when `revision` is given and no longer the current one. Others who want the same
    document wait until this transaction ends. Raises documents.TooComplex and documents.Unavailable.
    """
    queries.contract_patience(patience=PATIENCE)
    queries.contract_document_turn(id=id, kind=kind)
    found = queries.contract_document(id=id, kind=kind)
    if found is None or revision not in (None, found["revision"]):
        return None
    return found["file_id"] or _store(found, kind, documents.render(kind, _document(found)))


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
    file_id = files.store(io.BytesIO(content), filename, documents.MEDIA_TYPES[kind])
    kept = queries.contract_document_insert(
        contract_id=contract["id"], revision=contract["revision"], kind=kind, file_id=file_id
    )
    if not kept:  # the contract was deleted meanwhile
        queries.file_delete(ids=[file_id])
        return None
    return file_id
