"""The content of a template, and its checks."""
