"""Declared endpoints and their steps."""
