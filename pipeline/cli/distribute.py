"""`pipeline distribute` (docs/citus.md)."""

import click

from pipeline.cli.failures import Failure
from pipeline.cli.installation import Installation
from pipeline.cli.schema import set_passwords
from pipeline.database.cluster import distribution


@click.command()
@click.option(
    "--shards",
    type=click.IntRange(1, 1024),
    default=distribution.SHARDS,
    show_default=True,
    help="The number of shards. Each holds some organizations and can be moved to another server.",
)
@click.pass_obj
def distribute(installation: Installation, shards: int) -> None:
    """Distribute the database over a Citus cluster by organization.

    DATABASE_OWNER_URL names the cluster's coordinator, with a superuser login. Stop the service first. Call it
    again after an interruption, or for a new worker.
    """
    with installation.access() as access:
        try:
            distribution.distribute(access.owner_url, click.echo, shards)
        except distribution.Refused as refused:
            raise Failure(str(refused)) from refused
        set_passwords(access)
    click.echo("The database is distributed.")
