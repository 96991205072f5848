"""HTTP: routes, declarations, problems, limits and what every answer carries."""
