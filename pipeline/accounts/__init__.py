"""Accounts: who can log in, to which organizations, with which passwords, sessions, tokens and API keys."""

from pyramid.config import Configurator


def includeme(config: Configurator) -> None:
    """What checks passwords."""
    config.include("pipeline.accounts.passwords")
