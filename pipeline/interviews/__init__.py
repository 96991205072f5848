"""Interviews: templates, invites, answers and responses."""
