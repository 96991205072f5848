"""The command `pipeline`."""

import os
from functools import partial

import click

from pipeline.cli.accounts import create_organization, create_user, set_password, token
from pipeline.cli.backup import backup, drill, restore
from pipeline.cli.distribute import distribute
from pipeline.cli.doctor import doctor
from pipeline.cli.explain import explain
from pipeline.cli.failures import Commands
from pipeline.cli.installation import Installation, data_folder
from pipeline.cli.openapi import openapi
from pipeline.cli.psql import psql
from pipeline.cli.schema import demo, migrate
from pipeline.cli.serve import serve
from pipeline.cli.statistics import show_queries
from pipeline.cli.worker import worker


@click.group(cls=Commands, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 110})
@click.option(
    "--config",
    metavar="FILE",
    envvar="PIPELINE_CONFIG",
    help="The ini file; else PIPELINE_ENVIRONMENT names it, development.ini when that is not set.",
)
@click.pass_context
def cli(context: click.Context, config: str | None) -> None:
    """Qualifying interviews, leads and contracts: the service and its administration."""
    # Not on standard output, which is a command's result.
    log = partial(click.echo, err=True)
    context.obj = Installation(config, data_folder(os.environ), os.environ, log)


for command in (
    migrate,
    distribute,
    serve,
    worker,
    demo,
    create_organization,
    create_user,
    set_password,
    token,
    explain,
    show_queries,
    psql,
    doctor,
    backup,
    restore,
    drill,
    openapi,
):
    cli.add_command(command)


def main() -> None:
    """The console script."""
    cli(prog_name="pipeline")
