"""Users, passwords, sessions, tokens and API keys."""
