"""Batches: several records of a kind in one request."""
