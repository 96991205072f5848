"""`pipeline psql`: PostgreSQL's own command line, with the rights of the application in one organization."""

import shutil
import signal
import subprocess

import click

from pipeline.cli.accounts import administrator, find_seat
from pipeline.cli.failures import Failure
from pipeline.cli.installation import Installation
from pipeline.database import Row


@click.command(context_settings={"ignore_unknown_options": True})
@click.argument("arguments", nargs=-1, type=click.UNPROCESSED, metavar="[PSQL OPTIONS]...")
@click.option("--organization", metavar="SLUG", help="Whose rows; else the first one with such a seat.")
@click.option("--role", type=click.Choice(["member", "admin"]), default="member", show_default=True)
@click.pass_obj
def psql(installation: Installation, arguments: tuple[str, ...], organization: str | None, role: str) -> None:
    """Open psql as the application: its login and role, row-level security bound to one organization.

    What is written is kept. Options after `--` are psql's own: pipeline psql -- -c 'select count(*) from leads'
    """
    with installation.access() as access:
        with administrator(access):
            seat = find_seat(slug=organization, role=role)
        if seat is None:
            raise Failure(f"Nobody has an active seat as {role} there; see pipeline create-user.")
        click.echo(f"pipeline_{role} of {seat['slug']}", err=True)
        environ = {**installation.environ, "PGOPTIONS": options(seat, role)}
        # Ctrl-C cancels a statement of psql and must not end this process, which may hold the server.
        kept = signal.signal(signal.SIGINT, signal.SIG_IGN)
        try:
            ended = subprocess.run([program(), access.settings.database_url, *arguments], env=environ, check=False)
        finally:
            signal.signal(signal.SIGINT, kept)
    raise SystemExit(ended.returncode)


def options(seat: Row, role: str) -> str:
    """The settings that a request has for its transaction, for a whole session of psql."""
    context = {
        "role": f"pipeline_{role}",
        "app.organization_id": seat["organization_id"],
        "app.user_id": seat["user_id"],
    }
    return " ".join(f"-c {name}={value}" for name, value in context.items())


def program() -> str:
    """The path of psql: the system's, else in development the embedded server's; raises Failure without one."""
    found = shutil.which("psql")
    if found is None:
        try:
            # Only development has the package of the server.
            from development.postgres import ServerError, binary

            found = str(binary("psql"))
        except (ImportError, ServerError):
            raise Failure("There is no psql. On Debian and Ubuntu: sudo apt-get install postgresql-client") from None
    return found
