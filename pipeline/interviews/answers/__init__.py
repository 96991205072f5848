"""Answers, and the records made of them."""
