"""Guessable secrets are refused."""

import secrets

import pytest

from pipeline.process.settings import SettingsError, check_production, load
from pipeline.process.settings.secrets import weakness

GOOD = {"DATABASE_URL": "postgresql://x", "JWT_SECRET": secrets.token_hex(32), "PUBLIC_URL": "https://a.example"}


@pytest.mark.parametrize("make", [secrets.token_hex, secrets.token_urlsafe])
def test_a_generated_secret_is_strong(make):
    assert weakness(make(32)) is None


@pytest.mark.parametrize(
    ("secret", "why"),
    [
        ("", "32 characters"),
        ("7f0c9ae1d25b38464ab09cd2e7f1365", "32 characters"),
        ("a" * 32, "different"),
        ("0123456789" * 4, "repeats"),
        ("change-me-change-me-change-me-change", "different"),
        ("please-change-me-before-you-go-live-0123456789", "instructions"),
        ("pipeline-demo, pipeline-demo, and once more!", "instructions"),
        ("Your_Secret_Key goes here, at least 32 letters", "instructions"),
        ("abcdefghijklmnopqrstuvwxyz0123456789", "instructions"),
    ],
)
def test_what_can_be_guessed_is_weak(secret, why):
    assert why in weakness(secret)


@pytest.mark.parametrize(
    ("variable", "value"),
    [
        ("JWT_SECRET", "hunter2" * 5),
        ("JWT_RETIRED_KEYS", "0:" + "b" * 32),
        ("PUBLIC_URL", ""),
        ("PUBLIC_URL", "sales.example.com"),
        ("PUBLIC_URL", "https://sales.example.com/"),
        ("PUBLIC_URL", "https:///x"),
        ("PUBLIC_URL", "https://x?y"),
    ],
)
def test_production_starts_with_no_guessable_secret_and_no_address_that_clients_do_not_reach(variable, value):
    check_production(load({}, GOOD))
    with pytest.raises(SettingsError, match=variable) as raised:
        check_production(load({}, {**GOOD, variable: value}))
    assert "hunter2" not in str(raised.value)


def test_development_needs_neither():
    weak = {**GOOD, "JWT_SECRET": "x" * 32, "PUBLIC_URL": ""}
    check_production(load({}, {**weak, "PIPELINE_ENVIRONMENT": "development"}))
