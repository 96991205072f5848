"""Electronic signatures under contracts."""
