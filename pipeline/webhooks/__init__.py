"""Webhooks (docs/webhooks.md)."""
