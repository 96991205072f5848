"""Limits of requests and of work at once."""
