"""What operators see of a running service: what it counts, and the traces of its work."""
