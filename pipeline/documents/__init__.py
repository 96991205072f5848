"""Renders contracts as PDF and Word, in a separate process within limits."""

from typing import TYPE_CHECKING

from pipeline.documents.document import DIRECTIONS as DIRECTIONS
from pipeline.documents.document import KINDS as KINDS
from pipeline.documents.document import MARGINS as MARGINS
from pipeline.documents.document import PDF as PDF
from pipeline.documents.document import REDLINE as REDLINE
from pipeline.documents.document import Document as Document
from pipeline.documents.document import TooComplex as TooComplex
from pipeline.documents.document import TooSlow as TooSlow
from pipeline.documents.document import Unavailable as Unavailable
from pipeline.documents.pool import configure as configure
from pipeline.documents.pool import limits as limits
from pipeline.documents.pool import render as render

# Renderer processes need no Pyramid.
if TYPE_CHECKING:
    from pyramid.config import Configurator


def includeme(config: "Configurator") -> None:
    """Reads the limits from the settings."""
    configure(**config.registry.pipeline.document_limits)
