"""Accounts: users, passwords, sessions, tokens and API keys."""
