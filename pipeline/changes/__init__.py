"""The record of change; webhooks."""
