"""Contracts and their templates."""
