"""Persons: what an organization holds about one, told and erased."""
