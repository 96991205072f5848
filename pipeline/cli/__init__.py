"""The command `pipeline`."""

import os
from functools import partial
from importlib import import_module
from typing import Any

import click

from pipeline.cli.failures import Commands
from pipeline.cli.installation import Installation, data_folder
from pipeline.process.loading import without_garbage_collection

# The commands by module. A function has the command's name.
MODULES = {
    "schema": ("migrate", "demo"),
    "distribute": ("distribute",),
    "serve": ("serve",),
    "worker": ("worker",),
    "accounts": ("create-organization", "create-user", "set-password", "token"),
    "explain": ("explain",),
    "psql": ("psql",),
    "doctor": ("doctor",),
    "backup": ("backup", "restore", "drill"),
    "openapi": ("openapi",),
}


class LazyGroup(Commands):
    """A group that imports a command when it is called."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return sorted(name for names in MODULES.values() for name in names)

    def get_command(self, ctx: click.Context, cmd_name: str) -> Any:
        """The command, or None."""
        for module, names in MODULES.items():
            if cmd_name in names:
                with without_garbage_collection():
                    found = import_module(f"pipeline.cli.{module}")
                return getattr(found, cmd_name.replace("-", "_"))
        return None


@click.group(cls=LazyGroup, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 110})
@click.option(
    "--config",
    metavar="FILE",
    envvar="PIPELINE_CONFIG",
    help="The ini file. Default: the file for PIPELINE_ENVIRONMENT, or development.ini.",
)
@click.pass_context
def cli(context: click.Context, config: str | None) -> None:
    """Qualifying interviews, leads and contracts: the service and its administration."""
    # Standard output has only a command's result.
    log = partial(click.echo, err=True)
    context.obj = Installation(config, data_folder(os.environ), os.environ, log)
