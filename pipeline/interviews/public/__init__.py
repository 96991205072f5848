"""What prospects do."""
