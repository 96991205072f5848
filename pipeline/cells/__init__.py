"""Cells for operators: add and remove servers, and move organizations between them (docs/scaling.md)."""
