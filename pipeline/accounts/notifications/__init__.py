"""Notifications for an organization's users."""
