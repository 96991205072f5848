"""Records shared by leads, interviews and contracts."""
