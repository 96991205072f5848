"""HTTP: routes, endpoints, problems, limits and headers."""
