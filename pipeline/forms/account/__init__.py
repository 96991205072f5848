"""Pages of emailed links to an account."""
