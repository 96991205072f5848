"""The lines of the doctor's report."""

from collections.abc import Callable

import click

from pipeline.cli.failures import Failure, explained


class Report:
    """Lines of checks; `sound` as long as all succeeded."""

    sound = True

    def check(self, name: str, run: Callable[[], str]) -> bool:
        """Print what `run()` found, or what is to do about its failure; True when it succeeded."""
        try:
            return self.line(True, name, run())
        except Exception as error:
            failure = error if isinstance(error, Failure) else explained(error)
            return self.line(False, name, failure.message)

    def line(self, sound: bool, name: str, text: str) -> bool:
        """Print one line; returns `sound`."""
        self.sound = self.sound and sound
        click.echo(f"{'ok   ' if sound else 'TO DO'}  {name}: {text}")
        return sound
