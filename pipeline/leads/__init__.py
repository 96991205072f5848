"""Leads, their qualification and personal data."""
