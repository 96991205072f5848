"""What a template holds, and its checks."""
