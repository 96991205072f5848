"""CSV exports."""
