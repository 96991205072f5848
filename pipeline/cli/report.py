"""The lines of the doctor's report."""

import click

from pipeline.cli.failures import explained


class Wrong(Exception):
    """A check failed; the message says what to do."""


class Report:
    """Lines of checks; `sound` as long as all succeeded."""

    sound = True

    def check(self, name, run):
        """Print what `run()` found (str), or what is to do about its failure; True when it succeeded."""
        try:
            found = run()
        except Wrong as error:
            return self.line(False, name, str(error))
        except Exception as error:
            if explained(error) is None:
                raise
            return self.line(False, name, explained(error).message)
        return self.line(True, name, found)

    def line(self, sound, name, text):
        """Print one line; returns `sound`."""
        self.sound = self.sound and sound
        click.echo(f"{'ok   ' if sound else 'TO DO'}  {name}: {text}")
        return sound
