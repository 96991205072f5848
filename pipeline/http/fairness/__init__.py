"""Limits of requests and concurrent work."""
