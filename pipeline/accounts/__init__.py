"""Accounts: who can log in, to which organizations, with which passwords, sessions, tokens and API keys."""


def includeme(config):
    """/auth: login, refresh, logout, organization, me, sessions, password, activate, invitations; /users; /api-keys."""
    config.include("pipeline.accounts.passwords")
    for module in ("views", "session_views", "password_views", "invitation_views", "seat_views", "api_keys"):
        config.scan(f"pipeline.accounts.{module}")
