"""Accounts: who can log in, to which organizations, and with which tokens."""


def includeme(config):
    """POST /auth/login, refresh, logout, organization; GET /auth/me."""
    config.scan("pipeline.accounts.views")
