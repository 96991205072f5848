"""The tests of Pipeline."""
