"""A contract's PDF and DOCX, rendered once per revision; a draft with a watermark each time.

A stored refusal ends with its expiry, a new revision or a raised limit.
"""

import io
from base64 import b64encode
from collections.abc import Callable
from contextlib import ExitStack
from typing import Any, NamedTuple

import structlog
from psycopg.errors import LockNotAvailable, QueryCanceled
from pyramid.response import Response

from pipeline import documents, files
from pipeline.contracts.glyphs import missing_glyphs
from pipeline.database import Row, not_none, queries
from pipeline.database.effects import UnderWay
from pipeline.documents import pictures
from pipeline.files.content import MEDIA_TYPES
from pipeline.http.fairness.slots import CONVERSION, DOCUMENT, busy
from pipeline.validation.errors import Problem

# (problem code, seconds until expiry).
REFUSALS = {documents.TooComplex: ("document_too_complex", 24 * 3600), documents.TooSlow: ("unavailable", 10 * 60)}
# PostgreSQL ends a lock wait with either.
WAITED = (LockNotAvailable, QueryCanceled)
NOT_NOW = "The document cannot be rendered at the moment."

log = structlog.get_logger(__name__)


class Rendition(NamedTuple):
    """A stored file, or a refusal; content alone if the storage is full or the contract has `changed` meanwhile."""

    file_id: int | None = None
    code: str | None = None
    reason: str | None = None
    content: bytes | None = None
    filename: str | None = None
    changed: bool = False


NOT_YET = Rendition()


def shown(id: int, kind: str, slot: Callable[[str], None]) -> Rendition | None:
    """As `document`, with the watermark of a draft that is not out for signature."""
    made = _stored(id, kind)
    contract = queries.contract_draft_source(id=id)
    if contract is None or (made is not None and made.code):
        return document(id, kind, slot)
    slot(_slot_kind(id, kind))
    queries.contract_patience(patience=f"{documents.limits().queue_seconds}s")
    content = render_now(kind, document_of(contract, draft=True))
    return Rendition(content=content, filename=f"{contract['contract_number']}.{kind}")


def document(id: int, kind: str, slot: Callable[[str], None]) -> Rendition | None:
    """A contract's PDF or DOCX without a watermark, or None without the contract.

    Calls `slot(kind)` (429) before it renders. Raises 422 `document_too_complex`, 429 `busy`, 503 without a renderer.
    """
    made = _stored(id, kind)
    if made == NOT_YET:
        slot(_slot_kind(id, kind))
        try:
            made = render_once(id, kind)
        except (UnderWay, *WAITED):
            raise busy("The document is being rendered. Try again in a moment.") from None
        except documents.Unavailable as error:
            raise Problem("unavailable", NOT_NOW) from error
    if made is not None and made.code:
        raise Problem(made.code, made.reason, commit=True)
    return made


def _slot_kind(id: int, kind: str) -> str:
    return CONVERSION if is_converted(id, kind) else DOCUMENT


def is_converted(id: int, kind: str) -> bool:
    """Whether LibreOffice makes the document."""
    return kind == documents.PDF and bool(queries.contract_is_converted(id=id))


def reading_copy(id: int, slot: Callable[[str], None]) -> tuple[int, str] | None:
    """(revision, HTML) as signers read a contract of a Word file; None for others. Raises as `render_now`."""
    contract = queries.contract_document_source(id=id) if queries.contract_is_converted(id=id) else None
    if contract is None:
        return None
    slot(DOCUMENT)
    return contract["revision"], render_now(documents.COPY, document_of(contract)).decode()


def render_once(id: int, kind: str, revision: int | None = None) -> Rendition | None:
    """Renders the current revision, unless it is stored.

    Returns None without the contract or for an outdated `revision`. Raises documents.Unavailable, and UnderWay after
    `queue_seconds`. The caller commits refusals too.
    """
    queries.contract_patience(patience=f"{documents.limits().queue_seconds}s")
    try:
        queries.contract_document_lock(id=id, kind=kind)
    except WAITED:
        raise UnderWay("The document is being rendered by another process.") from None
    made = _stored(id, kind, revision)
    if made != NOT_YET:
        return made
    contract = queries.contract_document_source(id=id)
    if contract is None:
        return None
    document = document_of(contract)
    if kind == documents.PDF:
        margins = {name: getattr(document, name) for name in documents.MARGINS}
        missing_glyphs(document.content, margins, contract_id=contract["id"])
    try:
        content = documents.render(kind, document)
    except (documents.TooComplex, documents.TooSlow) as error:
        return _refuse(contract, kind, *REFUSALS[type(error)], str(error))
    return _store(contract, kind, content)


def render_now(kind: str, document: documents.Document) -> bytes:
    """A file that is not stored; raises 422 `document_too_complex` or 503."""
    try:
        return documents.render(kind, document)
    except (documents.TooComplex, documents.TooSlow) as error:
        raise Problem(REFUSALS[type(error)][0], str(error)) from None
    except documents.Unavailable as error:
        raise Problem("unavailable", NOT_NOW) from error


def _stored(id: int, kind: str, revision: int | None = None) -> Rendition | None:
    found = queries.contract_document(id=id, kind=kind, limits=_limits())
    if found is None or revision not in (None, found["revision"]):
        return None
    if found["file_id"]:
        return Rendition(found["file_id"])
    return Rendition(code=found["code"], reason=found["reason"])


def _limits() -> list[int]:
    """The limits kept with a refusal; a greater number permits more."""
    limits = documents.limits()
    return [limits.seconds, limits.memory_mib, limits.output_mib, limits.pages]


def document_of(contract: Row, draft: bool = False) -> documents.Document:
    """The Document; with the watermark of a draft."""
    layout = contract["layout"]
    logo = layout.get("logo_file_id")
    margins: dict[str, Any] = {name: layout.get(name) or "" for name in documents.MARGINS}
    return documents.Document(
        title=contract["name"],
        language=layout.get("language") or "en",
        content=contract["content"],
        direction=layout.get("direction") or "ltr",
        page_size=layout.get("page_size") or "A4",
        orientation=layout.get("orientation") or "portrait",
        author=layout.get("author") or "",
        created=layout.get("created"),
        logo=files.read(logo) if logo else None,
        pictures=_pictures(contract["content"]),
        watermark=(layout.get("watermark") or "") if draft else "",
        files=tuple(b64encode(files.read(id)).decode() for id in layout.get("word_file_ids") or ()),
        **margins,
    )


def _pictures(content: str) -> tuple[tuple[int, str], ...]:
    ids = pictures.named(content)
    rows = queries.picture_files(ids=ids) if ids else ()
    return tuple((row["id"], b64encode(files.read(row["file_id"])).decode()) for row in rows)


def _store(contract: Row, kind: str, content: bytes) -> Rendition | None:
    filename = f"{contract['contract_number']}.{kind}"
    # A deletion locks in this order too.
    if not queries.contract_revision_lock(id=contract["id"], revision=contract["revision"]):
        # The contract was deleted or changed, perhaps to erase this text.
        return _stored(contract["id"], kind) and Rendition(content=content, filename=filename, changed=True)
    try:
        file_id = files.store(io.BytesIO(content), filename, MEDIA_TYPES[kind])
    except files.StorageFull:
        log.warning("document_not_stored", contract_id=contract["id"], kind=kind)
        return Rendition(content=content, filename=filename)
    queries.contract_document_insert(
        contract_id=contract["id"], revision=contract["revision"], kind=kind, file_id=file_id
    )
    return Rendition(file_id, content=content, filename=filename)


def _refuse(contract: Row, kind: str, code: str, seconds: int, reason: str) -> Rendition | None:
    kept = queries.contract_refuse(
        contract_id=contract["id"],
        revision=contract["revision"],
        kind=kind,
        code=code,
        reason=reason,
        limits=_limits(),
        seconds=seconds,
    )
    return Rendition(code=code, reason=reason) if kept else None


def response(made: Rendition, kind: str, slot: Callable[[], ExitStack]) -> Response:
    """The download; calls `slot()` (429) for a large file."""
    if made.content is not None and made.filename:
        return files.content_response(made.content, made.filename, MEDIA_TYPES[kind], slot)
    return files.file_response(not_none(made.file_id), slot)
