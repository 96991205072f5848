"""The command `pipeline`."""

import signal
from importlib import import_module
from typing import Any

import click

from pipeline.cli.failures import Failure, explained
from pipeline.cli.installation import Installation
from pipeline.process.loading import without_garbage_collection

# The commands by module. A function has the command's name.
MODULES = {
    "databases.schema": ("migrate", "demo"),
    "serving.serve": ("serve",),
    "serving.worker": ("worker",),
    "accounts": ("create-organization", "create-user", "set-password", "token"),
    "databases.explain": ("explain",),
    "databases.psql": ("psql",),
    "checks.doctor": ("doctor",),
    "cells": ("cells",),
    "databases.backup": ("backup", "restore", "drill"),
    "openapi": ("openapi",),
}


class LazyGroup(click.Group):
    """Imports a command when it is called, prints failures in one line, and cleans up after SIGTERM."""

    def invoke(self, ctx: click.Context) -> Any:
        signal.signal(signal.SIGTERM, signal.default_int_handler)
        try:
            return super().invoke(ctx)
        except KeyboardInterrupt:
            raise Failure("A signal ended the command before it finished.") from None
        except Exception as error:
            raise explained(error) from None

    def list_commands(self, ctx: click.Context) -> list[str]:
        return sorted(name for names in MODULES.values() for name in names)

    def get_command(self, ctx: click.Context, cmd_name: str) -> Any:
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
    context.obj = Installation(config)
