"""Answers as pages, PDF, CSV and XLSX."""
