"""Scanners for active content, run by inspection.py in a separate process.

They import only each other.
"""
