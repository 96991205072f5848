"""Reads the file of an import as a table, from CSV in any encoding or from a workbook."""
