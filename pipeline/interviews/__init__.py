"""Qualifying interviews: templates, invites, the prospect's answers and what a rep reads from them."""
