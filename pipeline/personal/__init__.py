"""Personal data: its export and erasure."""
