"""Reminders by themselves: days after the first email with a link, for invites and for signers."""

import colander

from pipeline.validation import Integer, Listing, optional

MAX_REMINDERS, MAX_DAYS = 3, 90


def reminders() -> colander.SchemaNode:
    """The field of a body; the worker raises the events when the mail server has taken the first email."""
    return optional(Listing(Integer(1, MAX_DAYS), MAX_REMINDERS, unique=True), default=[])
