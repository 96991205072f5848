"""Benchmarks of the service, beside the same database work without it. Run `python -m bench`."""
