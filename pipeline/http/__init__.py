"""HTTP: routes, endpoint declarations, problems, limits and common headers."""
