"""Webhooks: programs are told what has changed (docs/webhooks.md).

`events` says what a change means, `following` makes deliveries of what has changed, `sending` sends one; `addresses`
and `transport` see to it that a message goes to nobody whom it must not reach, and takes no longer than it may.
"""
