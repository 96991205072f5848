"""What leads, interviews and contracts share and refer to."""
