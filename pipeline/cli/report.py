"""The lines of the doctor's report."""

from collections.abc import Callable

import click

from pipeline.cli.failures import explained


class Wrong(Exception):
    """A check failed; the message says what to do."""


class Report:
    """Lines of checks; `sound` as long as all succeeded."""

    sound = True

    def check(self, name: str, run: Callable[[], str]) -> bool:
        """Print what `run()` found, or what is to do about its failure; True when it succeeded."""
        try:
            found = run()
        except Wrong as error:
            return self.line(False, name, str(error))
        except Exception as error:
            if (failure := explained(error)) is None:
                raise
            return self.line(False, name, failure.message)
        return self.line(True, name, found)

    def line(self, sound: bool, name: str, text: str) -> bool:
        """Print one line; returns `sound`."""
        self.sound = self.sound and sound
        click.echo(f"{'ok   ' if sound else 'TO DO'}  {name}: {text}")
        return sound
