"""Public forms and invites, step by step."""
