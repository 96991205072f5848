"""Requests of prospects."""
