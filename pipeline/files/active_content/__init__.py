"""Scanners for active content, which inspection.py runs in a separate process.

They import nothing of the service except each other. `found(file, kind)` returns the obstacle or None.
"""
