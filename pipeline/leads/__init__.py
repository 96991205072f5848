"""Leads and their qualification."""
