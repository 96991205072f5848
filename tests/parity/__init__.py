"""PDF and Word beside each other over generated contracts: `make parity`, and a sample in the ordinary tests."""
