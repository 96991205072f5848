"""The record of change: what programs follow to learn what was made, changed and deleted."""
