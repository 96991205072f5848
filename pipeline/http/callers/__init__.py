"""The caller of a request."""
