"""`pipeline openapi`."""

from contextlib import closing

import click
import orjson

from pipeline.cli.installation import Installation
from pipeline.http.front.application import make_app
from pipeline.http.openapi.document import document


@click.command()
@click.pass_obj
def openapi(installation: Installation) -> None:
    """Print the OpenAPI 3.1 document."""
    with installation.access() as access:
        app = make_app(access.settings)
        with closing(app.registry.app), closing(app.registry.forms):
            click.echo(orjson.dumps(document(app.registry), option=orjson.OPT_INDENT_2))
