"""The command `pipeline`, also as `python -m pipeline`."""

from pipeline.process.loading import without_garbage_collection

with without_garbage_collection():
    from pipeline.cli import cli


def main() -> None:
    """The console script."""
    cli(prog_name="pipeline")


if __name__ == "__main__":
    main()
