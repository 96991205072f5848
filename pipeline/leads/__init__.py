"""Leads, from the first contact to a contact, company and deal."""
