"""The benchmark: what the service costs beside the least that its database work can cost. Run `python -m bench`."""
