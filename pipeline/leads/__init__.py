"""Leads: the people who ask, from the first contact to a qualified contact, company and deal."""
