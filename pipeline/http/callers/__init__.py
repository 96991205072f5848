"""Callers of requests."""
