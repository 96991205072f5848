"""Notifications for an organization's users, in the service and by email."""
