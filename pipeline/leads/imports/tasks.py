"""Background jobs of imports."""

from pipeline.database.effects import OutboxEvent, effect
from pipeline.leads.imports import background


@effect(background.EVENT)
def import_file(event: OutboxEvent) -> None:
    """Imports a file whose request was answered before."""
    background.run(event)


@import_file.gives_up
def note_failure(event: OutboxEvent, error: str) -> None:
    """Shows the reason in the import's record."""
    background.fail(event.payload["import_id"], error)
