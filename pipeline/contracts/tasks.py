"""Background jobs of contracts."""

import structlog

from pipeline import documents
from pipeline.contracts.renditions import render_once
from pipeline.database.effects import OutboxEvent, Refused, effect
from pipeline.database.execution import chaos_point

log = structlog.get_logger(__name__)


@effect("contract_documents")
def render_documents(event: OutboxEvent) -> None:
    """Renders both documents of a revision, each in its own transaction."""
    for kind in documents.KINDS:
        with event.separate():
            made = render_once(event.payload["contract_id"], kind, event.payload["revision"])
            chaos_point("document_rendered")
        chaos_point("document_stored")
        if made is not None and made.code:
            raise (Refused if made.code == "document_too_complex" else documents.Unavailable)(made.reason)


@render_documents.gives_up
def note_failure(event: OutboxEvent, error: str) -> None:
    """Logs the failure; requests for the document show the reason."""
    log.warning("documents_given_up", **event.payload, error=error)
