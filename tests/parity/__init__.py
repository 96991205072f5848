"""Compares PDF and Word of generated contracts: `make parity`, and a sample in the ordinary tests."""
