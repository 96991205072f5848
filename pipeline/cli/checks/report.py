"""The doctor's report."""

from collections.abc import Callable

import click

from pipeline.cli.failures import explained


class Report:
    """Lines of checks; `sound` while all succeed."""

    sound = True

    def check(self, name: str, run: Callable[[], str]) -> bool:
        """Print the text of `run()` or its failure; True on success."""
        try:
            return self.print_line(True, name, run())
        except Exception as error:
            return self.print_line(False, name, explained(error).message)

    def print_line(self, sound: bool, name: str, text: str) -> bool:
        self.sound = self.sound and sound
        click.echo(f"{'ok   ' if sound else 'TO DO'}  {name}: {text}")
        return sound
