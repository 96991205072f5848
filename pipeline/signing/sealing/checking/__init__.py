"""Checks a seal. Runs in a process of its own, without the service."""
