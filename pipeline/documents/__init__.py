"""Renders contracts as PDF and Word, in a separate process within limits."""

from typing import TYPE_CHECKING

from pipeline.documents.document import (
    COPY,
    DIRECTIONS,
    DOCX,
    KINDS,
    MARGINS,
    ORIENTATIONS,
    PAPERS,
    PDF,
    REDLINE,
    Document,
    TooComplex,
    TooSlow,
    Unavailable,
)
from pipeline.documents.processes.pool import configure, limits, render

# Renderer processes need no Pyramid.
if TYPE_CHECKING:
    from pyramid.config import Configurator


def includeme(config: "Configurator") -> None:
    """Reads the limits from the settings."""
    configure(**config.registry.pipeline.document_limits)
