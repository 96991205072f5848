"""Common parts of all pages."""
