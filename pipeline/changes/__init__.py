"""The record of change."""
