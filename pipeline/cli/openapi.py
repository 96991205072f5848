"""`pipeline openapi`."""

import click
import orjson
from pyramid.config import Configurator

from pipeline import declare
from pipeline.api import resource
from pipeline.api.openapi.document import document
from pipeline.cli.installation import Installation
from pipeline.http.server import routing
from pipeline.process.settings import load

# Required settings, which the document does not use.
UNUSED = {"DATABASE_URL": "postgresql://pipeline_app@localhost/pipeline", "JWT_SECRET": "-" * 32}


@click.command()
@click.pass_obj
def openapi(installation: Installation) -> None:
    """Print the OpenAPI 3.1 document. It needs no database."""
    config = Configurator()
    config.registry.pipeline = load(installation.ini, UNUSED | dict(installation.environ))
    for included in (routing, resource, declare):
        config.include(included)
    config.commit()
    click.echo(orjson.dumps(document(config.registry), option=orjson.OPT_INDENT_2))
