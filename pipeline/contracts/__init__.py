"""Contracts and their templates."""

from pipeline.turns import Turns


def includeme(config):
    """/contracts and /contract-templates. Fixed paths first: a path that names no id must not be taken for one."""
    settings = config.registry.pipeline
    # As many as the renderer takes at once: nobody waits for it with a connection.
    config.registry.rendering_turns = Turns(
        settings.document_processes, settings.document_queue_seconds, "Too many documents are being rendered."
    )
    config.scan("pipeline.contracts.tag_views")
    config.scan("pipeline.contracts.template_views")
    config.scan("pipeline.contracts.views")
