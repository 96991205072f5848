"""Notifications: what the organization's people are told, in the service and by email."""
