"""Accounts: who can log in, to which organizations, with which passwords, sessions and tokens."""


def includeme(config):
    """/auth: login, refresh, logout, organization, me, sessions, password, activate, invitations."""
    config.include("pipeline.accounts.passwords")
    for module in ("views", "session_views", "password_views", "invitation_views"):
        config.scan(f"pipeline.accounts.{module}")
