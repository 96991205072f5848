"""Background jobs of contracts."""

import structlog

from pipeline import documents
from pipeline.contracts.renditions import is_converted, render_once
from pipeline.database.effects import OutboxEvent, Refused, effect, emit
from pipeline.database.execution import chaos_point

log = structlog.get_logger(__name__)


@effect("contract_documents")
def render_documents(event: OutboxEvent) -> None:
    """Renders both documents of a revision; leaves a conversion to its own queue."""
    id, revision = event.payload["contract_id"], event.payload["revision"]
    left = [kind for kind in documents.KINDS if is_converted(id, kind)]
    for kind in documents.KINDS:
        if kind not in left:
            _render(event, kind)
    if left:
        emit("contract_conversions", f"{id}:{revision}", event.payload, once=True)


@effect("contract_conversions")
def convert_documents(event: OutboxEvent) -> None:
    """Makes the PDF of a revision of a Word file."""
    _render(event, documents.PDF)


def _render(event: OutboxEvent, kind: str) -> None:
    """Renders in a transaction of its own."""
    with event.separate():
        made = render_once(event.payload["contract_id"], kind, event.payload["revision"])
        chaos_point("document_rendered")
    chaos_point("document_stored")
    if made is not None and made.code:
        raise (Refused if made.code == "document_too_complex" else documents.Unavailable)(made.reason)


@convert_documents.gives_up
@render_documents.gives_up
def note_failure(event: OutboxEvent, error: str) -> None:
    """Logs the failure; requests for the document show the reason."""
    log.warning("documents_given_up", **event.payload, error=error)
