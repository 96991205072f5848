"""Accounts: who can log in, to which organizations, with which passwords, sessions, tokens and API keys."""
