"""Modules for a process with kernel limits, without the rest of the service."""
