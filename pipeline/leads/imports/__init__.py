"""Imports of leads from CSV files and workbooks."""
